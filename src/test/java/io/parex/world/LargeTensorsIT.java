package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.AvailableMemory;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tensors of more bytes than an int counts, by reference and over TCP, compared whole. */
@Tag("slow")
@Timeout(600)
class LargeTensorsIT {
    /** Bytes repeat after so many, which no power of two is a multiple of. */
    private static final int PERIOD = 7;

    private static final int PIECE_BYTES = PERIOD << 20;
    private static final CallOptions CALL = CallOptions.DEFAULT.withTimeout(Duration.ofMinutes(5));

    /** C31: all_reduce of 2^31 + 8 int8. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReduceMoreElementsThanAnIntCounts(boolean tcp) {
        long count = (1L << 31) + 8;
        AvailableMemory.require(2 * count);
        try (Arena arena = Arena.ofShared();
                Harness world = (tcp ? Harness.Factory.TCP : Harness.Factory.LOCAL).start(2)) {
            List<TensorView> tensors = List.of(
                    filled(arena, DataType.INT8, count, i -> i), filled(arena, DataType.INT8, count, i -> i + 1));
            await(world.onAll(group ->
                    group.allReduce(tensors.get(group.rank()), tensors.get(group.rank()), ReduceOp.SUM, CALL)));
            tensors.forEach(tensor -> assertFilled(tensor, i -> 2 * i + 1));
            MemorySegment sum = tensors.getLast().segment();
            assertEquals(1, sum.get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(3, sum.get(ValueLayout.JAVA_BYTE, (1L << 31) - 1));
            assertEquals(5, sum.get(ValueLayout.JAVA_BYTE, 1L << 31));
            assertEquals(5, sum.get(ValueLayout.JAVA_BYTE, count - 1));
        }
    }

    /** C33: one message of more than 2 GiB, and by reference of more than 4 GiB. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSendMoreBytesThanAnIntCounts(boolean tcp) {
        long bytes = (tcp ? 1L << 31 : 1L << 32) + 1;
        AvailableMemory.require(2 * bytes);
        try (Arena arena = Arena.ofShared();
                Harness world = (tcp ? Harness.Factory.TCP : Harness.Factory.LOCAL).start(2)) {
            TensorView sent = filled(arena, DataType.UINT8, bytes, i -> 31 * i + 1);
            TensorView received = new TensorView(arena.allocate(bytes), DataType.UINT8, bytes);
            Work send = world.group(0).isend(sent, 1, 0, CALL);
            await(List.of(send, world.group(1).irecv(received, 0, 0, CALL)));
            assertFilled(received, i -> 31 * i + 1);
        }
    }

    private static void await(List<Work> works) {
        works.forEach(Work::await);
    }

    /** Byte i is {@code value(i mod 7)}. */
    private static TensorView filled(Arena arena, DataType type, long bytes, LongUnaryOperator value) {
        MemorySegment memory = arena.allocate(bytes);
        MemorySegment piece = piece(value);
        for (long at = 0; at < bytes; at += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, bytes - at);
            MemorySegment.copy(piece, 0, memory, at, length);
        }
        return new TensorView(memory, type, bytes);
    }

    private static void assertFilled(TensorView tensor, LongUnaryOperator value) {
        MemorySegment piece = piece(value);
        for (long at = 0; at < tensor.byteSize(); at += PIECE_BYTES) {
            long length = Math.min(PIECE_BYTES, tensor.byteSize() - at);
            long difference = MemorySegment.mismatch(tensor.segment(), at, at + length, piece, 0, length);
            long from = at;
            assertEquals(-1, difference, () -> "byte " + (from + difference) + " of " + tensor.byteSize() + " differs");
        }
    }

    private static MemorySegment piece(LongUnaryOperator value) {
        byte[] bytes = new byte[PIECE_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) value.applyAsLong(i % PERIOD);
        }
        return MemorySegment.ofArray(bytes);
    }
}
