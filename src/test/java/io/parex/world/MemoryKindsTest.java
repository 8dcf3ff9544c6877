package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Tensors in arrays and at odd addresses are as good as any. */
class MemoryKindsTest {
    private static final int COUNT = 30_000;

    /** Copies in native memory, in an array, and one and three bytes beside an aligned address. */
    private static List<TensorView> everyKind(TensorView tensor) {
        List<TensorView> kinds = new ArrayList<>();
        kinds.add(Tensors.copy(tensor));
        kinds.add(TensorView.of(MemorySegment.ofArray(new byte[(int) tensor.byteSize()]), tensor.type()));
        for (int odd : new int[] {1, 3}) {
            MemorySegment memory = Tensors.pattern(tensor.byteSize() + odd, odd).segment();
            kinds.add(TensorView.of(memory.asSlice(odd), tensor.type()));
        }
        kinds.forEach(kind -> kind.segment().copyFrom(tensor.segment()));
        return kinds;
    }

    @OnEveryTransport
    void shouldReduceTensorsInEveryKindOfMemory(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            for (DataType type : List.of(DataType.INT32, DataType.FLOAT64)) {
                for (String algorithm : List.of("ring", "recursive_doubling")) {
                    reduce(world, type, algorithm);
                }
            }
        }
    }

    private static void reduce(Harness world, DataType type, String algorithm) {
        List<TensorView> inputs = IntStream.range(0, 4)
                .mapToObj(rank -> everyKind(Reference.input(type, COUNT, ReduceOp.AVG, 4, rank))
                        .get(rank))
                .toList();
        List<TensorView> outputs = everyKind(Tensors.zeros(type, COUNT)).reversed();
        world.succeed(world.onAll(group -> group.allReduce(
                inputs.get(group.rank()),
                outputs.get(group.rank()),
                ReduceOp.AVG,
                CallOptions.DEFAULT.withAlgorithm(algorithm))));
        TensorView expected = Reference.result(type, COUNT, ReduceOp.AVG, 4);
        outputs.forEach(output -> Tensors.assertSame(expected, output, algorithm));
    }

    @OnEveryTransport
    void shouldMoveTensorsInEveryKindOfMemory(Harness.Factory factory) {
        TensorView tensor = TensorView.of(Tensors.pattern(4 * COUNT, 1).segment(), DataType.FLOAT32);
        try (Harness world = factory.start(4)) {
            for (int root = 0; root < 4; root++) {
                int from = root;
                List<TensorView> given = everyKind(tensor);
                List<TensorView> taken =
                        everyKind(Tensors.zeros(DataType.FLOAT32, COUNT)).reversed();
                world.succeed(world.onAll(group -> {
                    TensorView own = (group.rank() == from ? given : taken).get(group.rank());
                    return group.broadcast(own, from, CallOptions.DEFAULT);
                }));
                for (int rank = 0; rank < 4; rank++) {
                    Tensors.assertSame(tensor, (rank == from ? given : taken).get(rank), "rank " + rank);
                    Work recv = world.group(rank).irecv(taken.get(root), root, 0, CallOptions.DEFAULT);
                    Work send = world.group(root).isend(given.get(rank), rank, 0, CallOptions.DEFAULT);
                    world.succeed(List.of(send, recv));
                    Tensors.assertSame(tensor, taken.get(root), "message");
                }
            }
        }
    }
}
