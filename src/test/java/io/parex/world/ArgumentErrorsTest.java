package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Calls that cannot be meant are refused before anything is started, and the group goes on. */
class ArgumentErrorsTest {
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
    void shouldRefuseRanksThatTheGroupHasNot() {
        TensorView tensor = Tensors.ints(1);
        for (int rank : new int[] {-2, 3, Integer.MAX_VALUE}) {
            String said = rank + " is not a rank of the group, which has 3";
            refused("destination " + said, () -> group.isend(tensor, rank, 0, DEFAULT));
            refused("source " + said, () -> group.irecv(tensor, rank, 0, DEFAULT));
            refused("root " + said, () -> group.broadcast(tensor, rank, DEFAULT));
        }
        refused("destination -1 is not a rank of the group", () -> group.isend(tensor, -1, 0, DEFAULT));
        refused("root -1 is not a rank of the group", () -> group.broadcast(tensor, -1, DEFAULT));
    }

    @Test
    void shouldRefuseNegativeTags() {
        TensorView tensor = Tensors.ints(1);
        refused("tag -1 is negative; only receives may leave the tag open", () -> group.isend(tensor, 0, -1, DEFAULT));
        refused("tag -2 is negative", () -> group.irecv(tensor, 0, -2, DEFAULT));
    }

    @Test
    void shouldRefuseOutputsOfAnotherTypeOrSize() {
        refused(
                "all_reduce on rank 1 of group world: its output has 2 elements of int32, and 3 are due; nothing was"
                        + " started",
                () -> group.allReduce(Tensors.ints(1, 2, 3), Tensors.ints(0, 0), ReduceOp.SUM, DEFAULT));
        refused(
                "input has 1 int32, output 1 float32",
                () -> group.allReduce(Tensors.ints(1), Tensors.floats(0), ReduceOp.SUM, DEFAULT));
    }

    @Test
    void shouldRefuseOutputsThatOverlapTheInputWithoutBeingIt() {
        TensorView memory = Tensors.ints(1, 2, 3, 4);
        refused(
                "input and output overlap, and not as they do in place",
                () -> group.allReduce(memory.slice(0, 3), memory.slice(1, 3), ReduceOp.SUM, DEFAULT));
    }

    @Test
    void shouldRefuseMemoryThatCannotBeWritten() {
        TensorView tensor = Tensors.ints(1);
        TensorView readOnly = TensorView.of(tensor.segment().asReadOnly(), DataType.INT32);
        refused("the memory to fill is read-only", () -> group.allReduce(tensor, readOnly, ReduceOp.SUM, DEFAULT));
        refused("the memory to fill is read-only", () -> group.irecv(readOnly, 0, 0, DEFAULT));
        refused("the memory to fill is read-only", () -> group.broadcast(readOnly, 0, DEFAULT));
    }

    @Test
    void shouldRefuseMemoryThatOtherThreadsCannotUse() {
        try (Arena own = Arena.ofConfined()) {
            refusesEverywhere("memory must be accessible from any thread", ints(own));
        }
        Arena ended = Arena.ofShared();
        TensorView closed = ints(ended);
        ended.close();
        refusesEverywhere("the memory has been closed with its arena", closed);
    }

    private void refusesEverywhere(String said, TensorView bad) {
        TensorView good = Tensors.ints(1);
        refused(said, () -> group.isend(bad, 0, 0, DEFAULT));
        refused(said, () -> group.irecv(bad, 0, 0, DEFAULT));
        refused(said, () -> group.broadcast(bad, 0, DEFAULT));
        refused(said, () -> group.broadcast(bad, 1, DEFAULT));
        refused(said, () -> group.allReduce(bad, good, ReduceOp.SUM, DEFAULT));
        refused(said, () -> group.allReduce(good, bad, ReduceOp.SUM, DEFAULT));
        PointToPoint send = PointToPoint.send(good, 0, 0);
        refused(said, () -> group.batch(List.of(send, PointToPoint.recv(bad, 0, 0)), DEFAULT));
        refused(said, () -> group.sendRecv(send, PointToPoint.recv(bad, 0, 0), DEFAULT));
    }

    private static TensorView ints(Arena arena) {
        return TensorView.of(arena.allocate(4), DataType.INT32);
    }

    @Test
    void shouldRefuseWhatIsMissing() {
        TensorView tensor = Tensors.ints(1);
        refused("the tensor is missing (null)", () -> group.isend(null, 0, 0, DEFAULT));
        refused("the tensor is missing (null)", () -> group.irecv(null, 0, 0, DEFAULT));
        refused("the options are missing (null)", () -> group.isend(tensor, 0, 0, null));
        refused("the options are missing (null)", () -> group.barrier(null));
        refused("the reduction is missing (null)", () -> group.allReduce(tensor, tensor, null, DEFAULT));
    }

    @Test
    void shouldRefuseTimeoutsThatAreNotPositive() {
        for (Duration timeout : new Duration[] {Duration.ZERO, Duration.ofSeconds(-1)}) {
            refused("the timeout must be positive", () -> group.barrier(DEFAULT.withTimeout(timeout)));
        }
    }

    @Test
    void shouldRefuseReductionsThatAreNotComputed() {
        ParexException unknownOp = assertThrows(
                ParexException.class,
                () -> group.allReduce(Tensors.floats(1), Tensors.floats(0), ReduceOp.BXOR, DEFAULT));
        assertEquals(ErrorKind.UNSUPPORTED, unknownOp.kind());
        assertTrue(unknownOp.getMessage().contains("bxor of float32"), unknownOp.getMessage());
        TensorView bytes = Tensors.zeros(DataType.FLOAT8_E4M3, 8);
        ParexException unknownType =
                assertThrows(ParexException.class, () -> group.allReduce(bytes, bytes, ReduceOp.SUM, DEFAULT));
        assertEquals(ErrorKind.UNSUPPORTED, unknownType.kind());
        assertTrue(unknownType.getMessage().contains("sum of float8_e4m3"), unknownType.getMessage());
    }

    @Test
    void shouldRefuseReductionsOfTensorsThatAreNotThereAsAWhole() {
        TensorStream window = TensorStream.through(Tensors.ints(0, 0).segment(), DataType.INT32, 100);
        TensorStream whole = TensorStream.output(Tensors.zeros(DataType.INT32, 100));
        String said = "it needs memory for the whole tensor of 400 bytes";
        refused(said, () -> group.submit(Call.allReduce(window, whole, ReduceOp.SUM, DEFAULT)));
        refused(said, () -> group.submit(Call.allReduce(whole, window, ReduceOp.SUM, DEFAULT)));
    }

    @Test
    void shouldRefuseRootsThatTakeAndOthersThatGive() {
        TensorStream stream = TensorStream.output(Tensors.ints(1));
        refused(
                "there is no input at a rank that is not root, and one is given",
                () -> group.submit(Call.broadcast(stream, 0, true, DEFAULT)));
        refused(
                "the input is missing (null) at the root",
                () -> group.submit(Call.broadcast(stream, 1, false, DEFAULT)));
    }

    @Test
    void shouldRefuseAWholeBatchForOneOfItsOperations() {
        PointToPoint good = PointToPoint.send(Tensors.ints(1), 0, 0);
        PointToPoint bad = PointToPoint.send(Tensors.ints(1), 7, 0);
        refused("destination 7", () -> group.batch(List.of(good, bad), DEFAULT));
        assertEquals(0, world.worlds().get(1).inFlight());
    }

    @Test
    void shouldRefuseAlgorithmsThatDoNotExist() {
        refused("bcast", () -> group.barrier(DEFAULT.withAlgorithm("bcast")));
    }

    @Test
    void shouldRefuseTheSendAsTheSecondPartOfAnExchange() {
        PointToPoint send = PointToPoint.send(Tensors.ints(1), 0, 0);
        refused("one send and one receive, in this order", () -> group.sendRecv(send, send, DEFAULT));
    }

    private static void refused(String text, Executable call) {
        ParexException refusal = assertThrows(ParexException.class, call);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }
}
