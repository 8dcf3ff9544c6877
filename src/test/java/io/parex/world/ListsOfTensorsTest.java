package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Several tensors in one call: each as if it had been called alone. */
class ListsOfTensorsTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    /** Empty, tiny, around the eager limit and of many segments. */
    private static final long[] COUNTS = {3, 0, 1, 16_385, 2, 70_001, 5};

    @OnEveryTransport
    void shouldReduceEach(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            for (boolean inPlace : new boolean[] {false, true}) {
                List<List<TensorView>> inputs =
                        ranks(3, rank -> each(count -> Reference.input(DataType.INT32, count, ReduceOp.AVG, 3, rank)));
                List<List<TensorView>> outputs = inPlace ? inputs : ranks(3, rank -> each(ListsOfTensorsTest::zeros));
                world.succeed(world.onAll(group ->
                        group.allReduce(inputs.get(group.rank()), outputs.get(group.rank()), ReduceOp.AVG, DEFAULT)));
                for (int rank = 0; rank < 3; rank++) {
                    for (int i = 0; i < COUNTS.length; i++) {
                        Tensors.assertSame(
                                Reference.result(DataType.INT32, COUNTS[i], ReduceOp.AVG, 3),
                                outputs.get(rank).get(i),
                                "tensor " + i + " on rank " + rank);
                    }
                }
            }
        }
    }

    @OnEveryTransport
    void shouldBroadcastEach(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<List<TensorView>> tensors =
                    ranks(3, rank -> each(count -> rank == 1 ? pattern(count, count) : zeros(count)));
            world.succeed(world.onAll(group -> group.broadcast(tensors.get(group.rank()), 1, DEFAULT)));
            for (int rank = 0; rank < 3; rank++) {
                for (int i = 0; i < COUNTS.length; i++) {
                    Tensors.assertSame(
                            pattern(COUNTS[i], COUNTS[i]),
                            tensors.get(rank).get(i),
                            "tensor " + i + " on rank " + rank);
                }
            }
        }
    }

    @OnEveryTransport
    void shouldGatherTheBlocksOfEach(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            for (boolean inPlace : new boolean[] {false, true}) {
                List<List<TensorView>> outputs = ranks(3, rank -> each(count -> zeros(3 * count)));
                List<List<TensorView>> inputs = ranks(3, rank -> blocks(outputs.get(rank), rank, inPlace));
                for (int rank = 0; rank < 3; rank++) {
                    for (TensorView input : inputs.get(rank)) {
                        input.segment().copyFrom(pattern(input.count(), rank).segment());
                    }
                }
                world.succeed(world.onAll(
                        group -> group.allGather(inputs.get(group.rank()), outputs.get(group.rank()), DEFAULT)));
                for (int rank = 0; rank < 3; rank++) {
                    for (int i = 0; i < COUNTS.length; i++) {
                        for (int from = 0; from < 3; from++) {
                            Tensors.assertSame(
                                    pattern(COUNTS[i], from),
                                    block(outputs.get(rank).get(i), from),
                                    "tensor " + i + " of rank " + from + " on rank " + rank);
                        }
                    }
                }
            }
        }
    }

    @OnEveryTransport
    void shouldReduceAndScatterTheBlocksOfEach(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            for (boolean inPlace : new boolean[] {false, true}) {
                List<List<TensorView>> inputs = ranks(
                        3, rank -> each(count -> Reference.input(DataType.INT32, 3 * count, ReduceOp.SUM, 3, rank)));
                List<List<TensorView>> outputs = ranks(3, rank -> blocks(inputs.get(rank), rank, inPlace));
                world.succeed(world.onAll(group -> group.reduceScatter(
                        inputs.get(group.rank()), outputs.get(group.rank()), ReduceOp.SUM, DEFAULT)));
                for (int rank = 0; rank < 3; rank++) {
                    for (int i = 0; i < COUNTS.length; i++) {
                        Tensors.assertSame(
                                block(Reference.result(DataType.INT32, 3 * COUNTS[i], ReduceOp.SUM, 3), rank),
                                outputs.get(rank).get(i),
                                "tensor " + i + " on rank " + rank);
                    }
                }
            }
        }
    }

    private static List<TensorView> blocks(List<TensorView> wholes, int rank, boolean inPlace) {
        return wholes.stream()
                .map(whole -> inPlace ? block(whole, rank) : zeros(whole.count() / 3))
                .toList();
    }

    private static TensorView block(TensorView whole, int rank) {
        return whole.slice(rank * whole.count() / 3, whole.count() / 3);
    }

    private static List<List<TensorView>> ranks(int size, IntFunction<List<TensorView>> tensors) {
        return IntStream.range(0, size).mapToObj(tensors).toList();
    }

    private static List<TensorView> each(LongFunction<TensorView> tensor) {
        List<TensorView> tensors = new ArrayList<>();
        for (long count : COUNTS) {
            tensors.add(tensor.apply(count));
        }
        return tensors;
    }

    private static TensorView zeros(long count) {
        return Tensors.zeros(DataType.INT32, count);
    }

    private static TensorView pattern(long count, long seed) {
        return TensorView.of(Tensors.pattern(4 * count, seed).segment(), DataType.INT32);
    }
}
