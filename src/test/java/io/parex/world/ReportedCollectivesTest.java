package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.Reductions;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Collectives that have gone wrong elsewhere, by their numbers in the collection of reported cases. */
class ReportedCollectivesTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    /** C01: tensors without elements, and then a call with some. */
    @OnEveryTransport
    void shouldGatherTensorsWithoutElements(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            world.succeed(world.onAll(group -> group.allGather(Tensors.floats(), Tensors.floats(), DEFAULT)));
            TensorView[] sums = outputs(4, rank -> Tensors.floats(rank));
            world.succeed(world.onAll(
                    group -> group.allReduce(sums[group.rank()], sums[group.rank()], ReduceOp.SUM, DEFAULT)));
            assertArrayEquals(new double[] {6}, Tensors.values(sums[3]));
        }
    }

    /** C03: every collective in a world of one, by every operation. */
    @Test
    void shouldGiveBackTheInputInAWorldOfOne() {
        try (Harness world = Harness.Factory.LOCAL.start(1)) {
            ProcessGroup group = world.group(0);
            long[] three = {3};
            List<Work> works = new ArrayList<>();
            List<TensorView> outputs = new ArrayList<>();
            for (ReduceOp op : List.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT)) {
                works.add(group.reduce(given(), next(outputs), op, 0, DEFAULT));
                works.add(group.allReduce(given(), next(outputs), op, DEFAULT));
                works.add(group.reduceScatter(given(), next(outputs), op, DEFAULT));
                works.add(group.reduceScatterV(given(), next(outputs), three, op, DEFAULT));
            }
            works.add(group.scatter(given(), next(outputs), 0, DEFAULT));
            works.add(group.gather(given(), next(outputs), 0, DEFAULT));
            works.add(group.allGather(given(), next(outputs), DEFAULT));
            works.add(group.allToAll(given(), next(outputs), DEFAULT));
            works.add(group.scatterVOpen(given(), next(outputs), three, 0, DEFAULT));
            works.add(group.gatherVOpen(given(), next(outputs), 0, DEFAULT));
            works.add(group.allGatherVOpen(given(), next(outputs), DEFAULT));
            works.add(group.allToAllVOpen(given(), next(outputs), three, DEFAULT));
            works.add(group.barrier(DEFAULT));
            world.succeed(works);
            outputs.forEach(output -> assertArrayEquals(new double[] {1, 2, 3}, Tensors.values(output)));
        }
    }

    private static TensorView given() {
        return Tensors.floats(1, 2, 3);
    }

    private static TensorView next(List<TensorView> outputs) {
        outputs.add(Tensors.floats(0, 0, 0));
        return outputs.getLast();
    }

    /** C04: the right halves. */
    @OnEveryTransport
    void shouldScatterTheRightHalvesOfASum(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            int[] given = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};
            TensorView[] inputs = outputs(2, rank -> Tensors.ints(given));
            TensorView[] outputs = outputs(2, rank -> Tensors.zeros(DataType.INT32, 6));
            world.succeed(world.onAll(
                    group -> group.reduceScatter(inputs[group.rank()], outputs[group.rank()], ReduceOp.SUM, DEFAULT)));
            assertArrayEquals(new int[] {2, 4, 6, 8, 10, 12}, Tensors.intValues(outputs[0]));
            assertArrayEquals(new int[] {22, 24, 26, 28, 30, 32}, Tensors.intValues(outputs[1]));
            assertArrayEquals(given, Tensors.intValues(inputs[1]));
        }
    }

    /** C06: a reduction changes the root's output and nothing else. */
    @OnEveryTransport
    void shouldLeaveTheInputsOfAReductionAlone(Harness.Factory factory) {
        leaveInputs(factory, 0, new long[][] {{1, 2, 3, 4}, {4, 5, 6, 7}}, 5, 7, 9, 11);
        long[] ones = {1, 1, 1, 1};
        leaveInputs(factory, 3, new long[][] {ones, ones, ones, ones, ones}, 5, 5, 5, 5);
    }

    private static void leaveInputs(Harness.Factory factory, int root, long[][] given, long... expected) {
        int size = given.length;
        try (Harness world = factory.start(size)) {
            TensorView[] inputs = outputs(size, rank -> Tensors.longs(given[rank]));
            TensorView[] outputs = outputs(size, rank -> rank == root ? Tensors.longs(0, 0, 0, 0) : null);
            world.succeed(world.onAll(
                    group -> group.reduce(inputs[group.rank()], outputs[group.rank()], ReduceOp.SUM, root, DEFAULT)));
            Tensors.assertSame(Tensors.longs(expected), outputs[root], "sum");
            for (int rank = 0; rank < size; rank++) {
                Tensors.assertSame(Tensors.longs(given[rank]), inputs[rank], "input of rank " + rank);
            }
        }
    }

    /** C17 and C21: whatever the bytes are, they arrive as they are; what is not computed is refused at once. */
    @OnEveryTransport
    void shouldCarryEveryTypeAndRefuseToReduceSome(Harness.Factory factory) {
        byte[] all = new byte[256];
        IntStream.range(0, 256).forEach(i -> all[i] = (byte) i);
        try (Harness world = factory.start(2)) {
            for (DataType type : DataType.values()) {
                TensorView given = TensorView.of(MemorySegment.ofArray(all), type);
                TensorView[] outputs = outputs(2, rank -> Tensors.zeros(type, 2 * given.count()));
                world.succeed(world.onAll(group -> group.allGather(given, outputs[group.rank()], DEFAULT)));
                for (TensorView output : outputs) {
                    Tensors.assertSame(given, output.slice(0, given.count()), type.label());
                    Tensors.assertSame(given, output.slice(given.count(), given.count()), type.label());
                }
                TensorView gathered = Tensors.zeros(type, 2 * given.count());
                world.succeed(
                        world.onAll(group -> group.gather(given, group.rank() == 0 ? gathered : null, 0, DEFAULT)));
                Tensors.assertSame(outputs[0], gathered, type.label());
                TensorView received = Tensors.zeros(type, given.count());
                world.succeed(world.onAll(group -> group.broadcast(group.rank() == 1 ? given : received, 1, DEFAULT)));
                Tensors.assertSame(given, received, type.label());
                received.segment().fill((byte) 0);
                world.succeed(world.onAll(group ->
                        group.rank() == 0 ? group.isend(given, 1, 7, DEFAULT) : group.irecv(received, 0, 7, DEFAULT)));
                Tensors.assertSame(given, received, type.label());
                if (!Reductions.supports(type, ReduceOp.SUM)) {
                    world.onAll(group -> {
                        assertRefused(type, () -> group.allReduce(received, received, ReduceOp.SUM, DEFAULT));
                        assertRefused(
                                type, () -> group.reduce(received, received, ReduceOp.SUM, group.rank(), DEFAULT));
                        assertRefused(type, () -> group.reduceScatter(outputs[0], received, ReduceOp.SUM, DEFAULT));
                        return group.barrier(DEFAULT);
                    });
                }
            }
        }
    }

    private static void assertRefused(DataType type, Executable reduction) {
        ParexException refusal = assertThrows(ParexException.class, reduction);
        assertEquals(ErrorKind.UNSUPPORTED, refusal.kind());
        assertTrue(refusal.getMessage().contains("sum of " + type.label()), refusal.getMessage());
        assertTrue(refusal.wasRefused(), "nothing was started");
    }

    /** C22: the average is that of the ranks, whatever the number of elements; of a reduction at the root only. */
    @OnEveryTransport
    void shouldAverageOverRanks(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            TensorView[] inputs = outputs(4, rank -> Tensors.filled(DataType.FLOAT32, 10, i -> rank + 1));
            TensorView average = Tensors.zeros(DataType.FLOAT32, 10);
            world.succeed(world.onAll(group ->
                    group.reduce(inputs[group.rank()], group.rank() == 2 ? average : null, ReduceOp.AVG, 2, DEFAULT)));
            Tensors.assertSame(Tensors.filled(DataType.FLOAT32, 10, i -> 2.5), average, "root");
            Tensors.assertSame(Tensors.filled(DataType.FLOAT32, 10, i -> 1), inputs[0], "rank 0");
        }
    }

    /** C34: three ranks with uneven splits. */
    @OnEveryTransport
    void shouldExchangeUnevenSplits(Harness.Factory factory) {
        long[][] sent = {{3, 2, 1}, {2, 2, 2}, {1, 2, 3}};
        double[][] expected = {{0, 1, 2, 10, 11, 20}, {3, 4, 12, 13, 21, 22}, {5, 14, 15, 23, 24, 25}};
        try (Harness world = factory.start(3)) {
            for (boolean open : new boolean[] {false, true}) {
                TensorView[] outputs = outputs(3, rank -> Tensors.zeros(DataType.INT64, 6));
                List<Work> works = world.onAll(group -> {
                    int rank = group.rank();
                    TensorView input = Tensors.filled(DataType.INT64, 6, i -> 10 * rank + i);
                    long[] taken =
                            Arrays.stream(sent).mapToLong(row -> row[rank]).toArray();
                    return open
                            ? group.allToAllVOpen(input, outputs[rank], sent[rank], DEFAULT)
                            : group.allToAllV(input, outputs[rank], sent[rank], taken, DEFAULT);
                });
                world.succeed(works);
                for (int rank = 0; rank < 3; rank++) {
                    assertArrayEquals(expected[rank], Tensors.values(outputs[rank]), "rank " + rank);
                }
                assertEquals(List.of(1L, 2L, 3L), works.get(2).await().lengths());
            }
        }
    }

    /** C39: receivers that give no lengths. */
    @OnEveryTransport
    void shouldScatterBlocksToRanksThatGiveNoLengths(Harness.Factory factory) {
        long[] counts = {2, 3, 2, 4};
        double[][] expected = {{1, 2}, {2, 3, 4}, {5, 6}, {7, 8, 9, 10}};
        try (Harness world = factory.start(4)) {
            for (boolean open : new boolean[] {false, true}) {
                TensorView[] outputs = outputs(4, rank -> Tensors.zeros(DataType.INT64, open ? 4 : counts[rank]));
                List<Work> works = world.onAll(group -> {
                    boolean root = group.rank() == 0;
                    TensorView input = root ? Tensors.longs(1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10) : null;
                    TensorView output = outputs[group.rank()];
                    return open
                            ? group.scatterVOpen(input, output, root ? counts : null, 0, DEFAULT)
                            : group.scatterV(input, output, root ? counts : null, 0, DEFAULT);
                });
                world.succeed(works);
                for (int rank = 0; rank < 4; rank++) {
                    assertArrayEquals(
                            expected[rank], Tensors.values(outputs[rank].slice(0, counts[rank])), "rank " + rank);
                    assertEquals(List.of(counts[rank]), works.get(rank).await().lengths());
                }
            }
        }
    }

    /** C40: rows without elements, and nothing to exchange. */
    @OnEveryTransport
    void shouldExchangeNothing(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            world.succeed(world.onAll(group -> group.allToAll(Tensors.floats(), Tensors.floats(), DEFAULT)));
            world.assertUsable();
        }
    }

    /** PREMUL_SUM multiplies each input once, by a factor that all give; also what a rank has alone. */
    @OnEveryTransport
    void shouldMultiplyEachInputOnce(Harness.Factory factory) {
        for (int size : new int[] {1, 3}) {
            try (Harness world = factory.start(size)) {
                for (boolean inPlace : new boolean[] {false, true}) {
                    TensorView[] inputs = outputs(size, rank -> Tensors.floats(4 * (rank + 1), 8));
                    TensorView[] outputs = inPlace ? inputs : outputs(size, rank -> Tensors.floats(0, 0));
                    world.succeed(world.onAll(group -> group.allReduce(
                            inputs[group.rank()], outputs[group.rank()], ReduceOp.PREMUL_SUM, 0.25, DEFAULT)));
                    double[] expected = {size * (size + 1) / 2, 2 * size};
                    Arrays.stream(outputs).forEach(output -> assertArrayEquals(expected, Tensors.values(output)));
                }
            }
        }
    }

    /** C27: the order of the sum is that of the ranks, whatever is reduced with an element and however. */
    @OnEveryTransport
    void shouldReduceInTheOrderOfTheRanksWhereAsked(Harness.Factory factory) {
        float[] values = {1e8f, 1, -1e8f, 1};
        float inOrder = ((values[0] + values[1]) + values[2]) + values[3];
        try (Harness world = factory.start(4)) {
            for (int count : new int[] {1, 5, 40_000}) {
                TensorView[] outputs = outputs(4, rank -> Tensors.zeros(DataType.FLOAT32, count));
                world.succeed(world.onAll(group -> group.allReduce(
                        Tensors.filled(DataType.FLOAT32, count, i -> values[group.rank()]),
                        outputs[group.rank()],
                        ReduceOp.SUM,
                        DEFAULT.withDeterministic(true))));
                for (TensorView output : outputs) {
                    Tensors.assertSame(Tensors.filled(DataType.FLOAT32, count, i -> inOrder), output, "sum");
                }
            }
        }
    }

    @Test
    void shouldReduceInTheOrderOfTheRanksWhereTheWorldDoes() {
        WorldOptions options = WorldOptions.DEFAULT.withDeterministic(true);
        try (Harness world = Harness.Factory.CALM.start(3, options)) {
            List<CallRecord> records = new ArrayList<>();
            world.worlds().get(1).observe(records::add);
            TensorView[] outputs = outputs(3, rank -> Tensors.ints(0));
            world.succeed(world.onAll(
                    group -> group.reduceScatter(Tensors.ints(1, 2, 3), outputs[group.rank()], ReduceOp.SUM, DEFAULT)));
            assertArrayEquals(new int[] {6}, Tensors.intValues(outputs[1]));
            assertEquals("direct", records.getFirst().algorithm());
            assertEquals(12, records.getFirst().bytes());
        }
    }

    private static TensorView[] outputs(int size, IntFunction<TensorView> tensor) {
        return IntStream.range(0, size).mapToObj(tensor).toArray(TensorView[]::new);
    }
}
