package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offsets beyond what an int holds, over a sparse file of which next to nothing is touched. */
class LargeMemoryTest {
    private static final long SIX_BILLION = 6_000_000_000L;
    private static final long MAPPED_BYTES = 2 * SIX_BILLION;

    @TempDir
    Path directory;

    private final Arena arena = Arena.ofConfined();
    private MemorySegment memory;

    @BeforeEach
    void mapSparseFile() throws IOException {
        try (FileChannel file = FileChannel.open(
                directory.resolve("sparse"),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.SPARSE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            memory = file.map(FileChannel.MapMode.READ_WRITE, 0, MAPPED_BYTES, arena);
        }
    }

    @AfterEach
    void unmap() {
        arena.close();
    }

    @Test
    void shouldSliceTensorsOfMoreElementsThanAnIntCounts() {
        TensorView view = TensorView.of(memory, DataType.INT32);
        assertEquals(3_000_000_000L, view.count());
        TensorView last = view.slice(view.count() - 2, 2);
        assertEquals(MAPPED_BYTES - 8, last.segment().address() - memory.address());
        assertEquals(8, last.byteSize());
        assertEquals(
                ErrorKind.ARGUMENT,
                refusal(() -> view.slice(view.count() - 1, 2)).kind());
        assertEquals(
                ErrorKind.ARGUMENT, refusal(() -> view.slice(1, Long.MAX_VALUE)).kind());
        assertEquals(ErrorKind.ARGUMENT, refusal(() -> view.slice(-1, 1)).kind());
        assertEquals(
                ErrorKind.ARGUMENT,
                refusal(() -> new TensorView(memory, DataType.INT64, Long.MAX_VALUE / 4))
                        .kind());
    }

    @Test
    void shouldReduceFarIntoMemory() {
        Reduction sum = Reductions.of(DataType.INT32, ReduceOp.SUM, 2);
        List<Number> values = List.of(1, -2, 3);
        long far = MAPPED_BYTES - 13;
        Elements.put(memory, far, DataType.INT32, values);
        Elements.put(memory, SIX_BILLION + 1, DataType.INT32, values);
        sum.combine(
                new Operand(memory, far, false),
                new Operand(memory, SIX_BILLION + 1, false),
                new Operand(memory, SIX_BILLION + 101, false),
                3);
        assertEquals(List.of(2, -4, 6), Elements.get(memory, SIX_BILLION + 101, DataType.INT32, 3));
        assertThrows(
                IndexOutOfBoundsException.class,
                () -> sum.copy(new Operand(memory, far, false), new Operand(memory, 0, false), 4));
    }

    @Test
    void shouldAverageFarIntoMemory() {
        Reduction average = Reductions.of(DataType.INT32, ReduceOp.AVG, 2);
        long far = MAPPED_BYTES - 13;
        Elements.put(memory, far, DataType.INT32, List.of(1, -2, 5));
        average.copy(new Operand(memory, far, false), new Operand(memory, SIX_BILLION + 3, true), 3);
        average.copy(new Operand(memory, SIX_BILLION + 3, true), new Operand(memory, far, false), 3);
        assertEquals(List.of(0, -1, 2), Elements.get(memory, far, DataType.INT32, 3));
    }

    private static ParexException refusal(Runnable call) {
        return assertThrows(ParexException.class, call::run);
    }
}
