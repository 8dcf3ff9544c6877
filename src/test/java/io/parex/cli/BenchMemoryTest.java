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
        // primitive, algorithm, in place: whole tensors, those of one rank, and whole tensors of scratch
        "all_reduce, auto, false, 8, 2, 0",
        "all_reduce, auto, true, 4, 1, 0",
        "all_reduce, ring, false, 8, 2, 0",
        "all_reduce, recursive_doubling, true, 4, 1, 4",
        "broadcast, auto, false, 4, 1, 0",
        "gather, auto, false, 5, 2, 0",
        "gather, auto, true, 4, 1, 0",
        "scatter_v, linear, false, 5, 2, 0",
        "all_gather, bruck, false, 8, 2, 0",
        "reduce, direct, false, 5, 2, 1",
        "reduce_scatter, direct, true, 4, 1, 1",
        "all_to_all, auto, true, 4, 1, 0",
        "send, auto, false, 4, 2, 0",
        "send_recv, auto, false, 8, 2, 0",
        "barrier, auto, false, 0, 0, 0",
    })
    void shouldCountTensors(
            String primitive, String algorithm, boolean inPlace, int tensors, int tensorsOfRank, int scratch) {
        BenchPlan plan = plan(primitive, algorithm, GIB, inPlace);
        BenchMemory apart = BenchMemory.of(plan, Isolation.PROCESS);
        assertEquals(tensors * GIB, apart.tensorBytes());
        assertEquals(tensorsOfRank * GIB, apart.processTensorBytes());
        assertTrue(apart.processBytes() > 0, apart::toString);
        BenchMemory memory = BenchMemory.of(plan, Isolation.JVM);
        assertEquals(tensors * GIB, memory.tensorBytes());
        assertEquals(tensors * GIB, memory.processTensorBytes());
        assertEquals(0, memory.processBytes());
        assertTrue(scratch * GIB <= memory.scratchBytes(), memory::toString);
        assertEquals(scratch > 0, memory.scratchBytes() > 0, memory::toString);
    }

    @Test
    void shouldSayHowMuchIsNeededAndHowMuchIsThere() {
        BenchPlan plan = plan("all_reduce", "auto", 20 * GIB, false);
        BenchMemory memory = BenchMemory.of(plan, Isolation.JVM);
        assertRefused(
                "4 ranks need 160.00 GiB of memory for tensors of up to 21474836480 bytes, and 22.00 GiB are available",
                () -> memory.require(plan, 22 * GIB, 200 * GIB));
        assertRefused(
                ", 160.00 GiB of it in one process, and the JVM allows 16.00 GiB",
                () -> memory.require(plan, 200 * GIB, 16 * GIB));
        memory.require(plan, 160 * GIB, 160 * GIB);
        // Each process has its own allowance, and takes something beside the tensors.
        BenchMemory apart = BenchMemory.of(plan, Isolation.PROCESS);
        assertRefused("4 ranks need 160.", () -> apart.require(plan, 160 * GIB, 40 * GIB));
        assertRefused("40.00 GiB of it in one process", () -> apart.require(plan, 200 * GIB, 39 * GIB));
        apart.require(plan, 162 * GIB, 40 * GIB);
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
