package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.bench.BenchPlan;
import io.parex.bench.CallShape;
import io.parex.bench.Sizes;
import io.parex.bench.Timing;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asked of the machine before a benchmark starts. */
class BenchMemoryTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        // primitive, algorithm, in place: whole tensors, and whole tensors of scratch
        "all_reduce, auto, false, 8, 0",
        "all_reduce, auto, true, 4, 0",
        "all_reduce, ring, false, 8, 0",
        "all_reduce, recursive_doubling, true, 4, 4",
        "broadcast, auto, false, 4, 0",
        "send, auto, false, 4, 0",
        "send_recv, auto, false, 8, 0",
        "barrier, auto, false, 0, 0",
    })
    void shouldCountTensors(String primitive, String algorithm, boolean inPlace, int tensors, int scratch) {
        BenchMemory memory = BenchMemory.of(plan(primitive, algorithm, GIB, inPlace));
        assertEquals(tensors * GIB, memory.tensorBytes());
        assertTrue(scratch * GIB <= memory.scratchBytes(), memory::toString);
        assertEquals(scratch > 0, memory.scratchBytes() > 0, memory::toString);
    }

    @Test
    void shouldSayHowMuchIsNeededAndHowMuchIsThere() {
        BenchPlan plan = plan("all_reduce", "auto", 20 * GIB, false);
        BenchMemory memory = BenchMemory.of(plan);
        assertRefused(
                "4 ranks need 160.00 GiB of memory for tensors of up to 21474836480 bytes, and 22.00 GiB are available",
                () -> memory.require(plan, 22 * GIB, 200 * GIB));
        assertRefused("and the JVM allows 16.00 GiB", () -> memory.require(plan, 200 * GIB, 16 * GIB));
        memory.require(plan, 160 * GIB, 160 * GIB);
    }

    @Test
    void shouldRefuseBeforeAnythingIsMeasured() {
        Invocation bench = Invocation.of("bench", "-n=4", "--min-bytes=200000000G", "--max-bytes=200000000G");
        assertEquals(ExitCodes.USAGE, bench.exit(), bench.err());
        assertEquals("", bench.out());
        assertTrue(bench.err().contains("are available; lower --max-bytes or -n"), bench.err());
    }

    private static void assertRefused(String text, Runnable use) {
        ParexException refusal = assertThrows(ParexException.class, use::run);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains(text), refusal::getMessage);
    }

    private static BenchPlan plan(String primitive, String algorithm, long bytes, boolean inPlace) {
        return new BenchPlan(
                4,
                new BenchChoice(4).series(List.of(primitive), List.of(algorithm), "thread"),
                new Sizes(bytes, bytes, 2),
                new CallShape(DataType.FLOAT32, ReduceOp.SUM, 0, inPlace),
                Timing.DEFAULT);
    }
}
