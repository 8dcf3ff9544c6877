package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Collectives whose tensors, lengths or factors cannot be meant are refused with the numbers, and nothing starts. */
class CollectiveArgumentsTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    private Harness world;
    private ProcessGroup group;

    @BeforeEach
    void start() {
        world = Harness.Factory.CALM.start(3);
        group = world.group(1);
    }

    @AfterEach
    void shouldHaveStartedNothing() {
        world.assertUsable();
        assertEquals(0, world.worlds().get(1).inFlight());
        world.close();
    }

    @Test
    void shouldRefuseTensorsThatDoNotDivide() {
        String said = "7 elements cannot be divided equally among 3 ranks; ";
        refused(said + "reduce_scatter_v", () -> group.reduceScatter(ints(7), ints(2), ReduceOp.SUM, DEFAULT));
        refused(said + "all_to_all_v", () -> group.allToAll(ints(7), ints(7), DEFAULT));
        refused(said + "scatter_v", () -> group.scatter(ints(7), ints(2), 1, DEFAULT));
    }

    /** C30: of a scalar, and of what fewer elements than ranks have. */
    @Test
    void shouldRefuseAReduceScatterOfAScalar() {
        refused(
                "1 elements cannot be divided equally among 3 ranks",
                () -> group.reduceScatter(Tensors.floats(3.5f), Tensors.floats(0), ReduceOp.SUM, DEFAULT));
    }

    @Test
    void shouldRefuseTensorsOfOtherLengths() {
        refused(
                "all_gather on rank 1 of group world: its output has 5 elements of int32, and 6 are due; nothing",
                () -> group.allGather(ints(2), ints(5), DEFAULT));
        refused("its output has 5 elements of int32, and 6 are due", () -> group.gather(ints(2), ints(5), 1, DEFAULT));
        refused("its output has 3 elements of int32, and 2 are due", () -> group.scatter(ints(6), ints(3), 1, DEFAULT));
        refused(
                "its output has 1 elements of int32, and 2 are due",
                () -> group.reduceScatter(ints(6), ints(1), ReduceOp.SUM, DEFAULT));
        refused(
                "its output has 4 elements of int32, and 3 are due",
                () -> group.reduce(ints(3), ints(4), ReduceOp.SUM, 1, DEFAULT));
        refused("its output has 3 elements of int32, and 6 are due", () -> group.allToAll(ints(6), ints(3), DEFAULT));
    }

    /** C37: splits that do not add up, are negative, or are for another number of ranks. */
    @Test
    void shouldRefuseLengthsThatDoNotFit() {
        long[] twos = {2, 2, 2};
        refused(
                "its input has 6 elements of int32, and 8 are due (lengths 4,4,0)",
                () -> group.allToAllV(ints(6), ints(6), new long[] {4, 4, 0}, twos, DEFAULT));
        refused(
                "lengths [-1, 7, 0]: block 0 of -1 elements",
                () -> group.allToAllV(ints(6), ints(6), new long[] {-1, 7, 0}, twos, DEFAULT));
        refused(
                "lengths are given for 1 ranks, and the group has 3",
                () -> group.allToAllV(ints(6), ints(6), new long[] {6}, twos, DEFAULT));
        refused(
                "lengths are given for 4 ranks, and the group has 3",
                () -> group.allToAllV(ints(6), ints(6), twos, new long[] {3, 3, 0, 0}, DEFAULT));
        refused(
                "its output has 5 elements of int32, and 6 are due (lengths 2,2,2)",
                () -> group.allGatherV(ints(2), ints(5), twos, DEFAULT));
        refused(
                "its input has 1 elements of int32, and 2 are due (lengths 2,2,2)",
                () -> group.gatherV(ints(1), null, twos, 0, DEFAULT));
        refused("the lengths are missing (null)", () -> group.gatherV(ints(1), ints(3), null, 1, DEFAULT));
        refused("the lengths are missing (null)", () -> group.scatterV(ints(3), ints(1), null, 1, DEFAULT));
        refused("the lengths are missing (null)", () -> group.allGatherV(ints(1), ints(3), null, DEFAULT));
        refused("the lengths are missing (null)", () -> group.allToAllV(ints(1), ints(3), twos, null, DEFAULT));
        refused(
                "lengths [9223372036854775807, 1, 0]: long overflow",
                () -> group.allGatherV(ints(1), ints(1), new long[] {Long.MAX_VALUE, 1, 0}, DEFAULT));
    }

    @Test
    void shouldRefuseOpenLengthsWhereTheyMustBeKnown() {
        TensorStream input = TensorStream.input(ints(3));
        TensorStream output = TensorStream.output(ints(1));
        Call reduceScatter = Call.reduceScatter(input, output, ReduceOp.SUM, null, DEFAULT);
        refused(
                "every rank has to know all lengths: they cannot be left open",
                () -> group.submit(reduceScatter.withOpenLengths(null)));
        refused("the lengths of the input are missing", () -> group.scatterVOpen(ints(3), ints(1), null, 1, DEFAULT));
        refused(
                "lengths are given, and left open as well",
                () -> group.scatterVOpen(null, ints(1), new long[] {1, 1, 1}, 0, DEFAULT));
        refused(
                "its input has 3 elements of int32, and 4 are due (lengths 1,1,2)",
                () -> group.allToAllVOpen(ints(3), ints(9), new long[] {1, 1, 2}, DEFAULT));
    }

    @Test
    void shouldRefuseTensorsThatAreMissingOrTooMany() {
        refused("the input is missing (null)", () -> group.allGather(null, ints(3), DEFAULT));
        refused("the output is missing (null)", () -> group.allReduce(ints(3), null, ReduceOp.SUM, DEFAULT));
        refused("the output is missing (null) at the root", () -> group.gather(ints(1), null, 1, DEFAULT));
        refused(
                "there is no output at a rank that is not root, and one is given",
                () -> group.reduce(ints(1), ints(1), ReduceOp.SUM, 0, DEFAULT));
        refused(
                "there is no input at a rank that is not root, and one is given",
                () -> group.scatter(ints(3), ints(1), 0, DEFAULT));
    }

    @Test
    void shouldRefuseRootsThatTheGroupHasNot() {
        for (int root : new int[] {-1, 3}) {
            String said = "root " + root + " is not a rank of the group, which has 3";
            refused(said, () -> group.gather(ints(1), null, root, DEFAULT));
            refused(said, () -> group.scatterV(null, ints(1), null, root, DEFAULT));
            refused(said, () -> group.reduce(ints(1), null, ReduceOp.SUM, root, DEFAULT));
        }
    }

    @Test
    void shouldRefuseOverlapsThatAreNotInPlace() {
        String said = "input and output overlap, and not as they do in place";
        TensorView memory = ints(6);
        refused(said, () -> group.allGather(memory.slice(0, 2), memory, DEFAULT));
        refused(said, () -> group.reduceScatter(memory, memory.slice(4, 2), ReduceOp.SUM, DEFAULT));
        refused(said, () -> group.gather(memory.slice(3, 2), memory, 1, DEFAULT));
        refused(said, () -> group.allToAllV(memory, memory, new long[] {1, 2, 3}, new long[] {3, 2, 1}, DEFAULT));
        refused(
                said,
                () -> group.allReduce(
                        List.of(memory.slice(0, 3), memory.slice(3, 3)),
                        List.of(memory.slice(3, 3), memory.slice(0, 3)),
                        ReduceOp.SUM,
                        DEFAULT));
    }

    @Test
    void shouldRefuseFactorsThatCannotBeMeant() {
        TensorView one = Tensors.floats(1);
        refused(
                "premul_sum of float32 needs a factor, and none is given",
                () -> group.allReduce(one, one, ReduceOp.PREMUL_SUM, DEFAULT));
        refused("sum takes no factor, and 0.5 is given", () -> group.allReduce(one, one, ReduceOp.SUM, 0.5, DEFAULT));
        refused("a factor of NaN", () -> group.allReduce(one, one, ReduceOp.PREMUL_SUM, Double.NaN, DEFAULT));
        ParexException unsupported = assertThrows(
                ParexException.class, () -> group.reduce(ints(1), null, ReduceOp.PREMUL_SUM, 2, 0, DEFAULT));
        assertEquals(ErrorKind.UNSUPPORTED, unsupported.kind());
    }

    @Test
    void shouldRefuseListsThatDoNotBelongTogether() {
        refused("the list of tensors is missing or empty", () -> group.broadcast(List.of(), 1, DEFAULT));
        refused(
                "tensors of one call are of one type, these are int32 and float32",
                () -> group.broadcast(List.of(ints(1), Tensors.floats(1)), 1, DEFAULT));
        refused(
                "lists of 1 and of 2 tensors do not belong together",
                () -> group.allGather(List.of(ints(1), ints(1)), List.of(ints(3)), DEFAULT));
        refused(
                "tensors 1 of the lists have 5 and 2 elements, and not 3 blocks and one",
                () -> group.allGather(List.of(ints(1), ints(2)), List.of(ints(3), ints(5)), DEFAULT));
    }

    @Test
    void shouldRefuseAlgorithmsThatCannotRunTheCall() {
        long[] ones = {1, 1, 1};
        refused(
                "the algorithms that are chosen for all_to_all (bruck) cannot run all_to_all_v; these can: pairwise,",
                () -> group.allToAllV(ints(3), ints(3), ones, ones, DEFAULT.withAlgorithm("bruck")));
        refused(
                "the algorithms that are chosen for all_reduce (ring) cannot run a deterministic all_reduce",
                () -> group.allReduce(
                        ints(1),
                        ints(1),
                        ReduceOp.SUM,
                        DEFAULT.withAlgorithm("ring").withDeterministic(true)));
    }

    private static TensorView ints(long count) {
        return Tensors.zeros(DataType.INT32, count);
    }

    private static void refused(String text, Executable call) {
        ParexException refusal = assertThrows(ParexException.class, call);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }
}
