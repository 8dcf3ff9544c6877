package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of broadcast, for every algorithm: the root's bytes on all ranks, whatever their type and number. */
class BroadcastContractTest {
    private static final List<String> ALGORITHMS =
            List.of("binomial", "chain", "scatter_all_gather", "double_tree", "circulant");

    static Stream<Arguments> grid() {
        return ALGORITHMS.stream()
                .flatMap(name -> Stream.of(1, 2, 3, 4, 5, 6, 7, 8, 13).map(size -> Arguments.of(name, size)));
    }

    /** C29: also fewer bytes than ranks. */
    @ParameterizedTest(name = "{0} on {1} ranks")
    @MethodSource("grid")
    void shouldGiveTheBytesOfEveryRootToAll(String algorithm, int size) {
        try (Harness world = Harness.Factory.CALM.start(size)) {
            for (int root = 0; root < size; root++) {
                for (long bytes : new long[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 1000}) {
                    check(world, algorithm, root, bytes);
                }
            }
        }
    }

    static Stream<Arguments> everywhere() {
        return ALGORITHMS.stream()
                .flatMap(name -> Stream.of(2, 3, 5)
                        .flatMap(size ->
                                OnEveryTransport.Transports.all().map(factory -> Arguments.of(name, size, factory))));
    }

    @ParameterizedTest(name = "{0} on {1} ranks, {2}")
    @MethodSource("everywhere")
    void shouldGiveAllBytesOnBothSidesOfTheEagerLimit(String algorithm, int size, Harness.Factory factory) {
        try (Harness world = factory.start(size)) {
            for (long bytes : new long[] {0, 65_535, 65_536, 65_537, 1_000_003}) {
                check(world, algorithm, size - 1, bytes);
                check(world, algorithm, 0, bytes);
            }
        }
    }

    private static void check(Harness world, String algorithm, int root, long bytes) {
        TensorView expected = Tensors.pattern(bytes, root + 31 * bytes);
        List<TensorView> tensors = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            tensors.add(rank == root ? Tensors.copy(expected) : Tensors.zeros(DataType.UINT8, bytes));
        }
        List<Work> works = world.onAll(group ->
                group.broadcast(tensors.get(group.rank()), root, CallOptions.DEFAULT.withAlgorithm(algorithm)));
        world.succeed(works);
        for (int rank = 0; rank < world.size(); rank++) {
            Tensors.assertSame(expected, tensors.get(rank), bytes + " bytes of root " + root + " on rank " + rank);
            assertEquals(rank == root ? 0 : bytes, works.get(rank).await().count());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"binomial", "chain"})
    void shouldMoveEveryTypeBitByBit(String algorithm) {
        try (Harness world = Harness.Factory.CALM.start(3)) {
            for (DataType type : DataType.values()) {
                TensorView given =
                        TensorView.of(Tensors.pattern(256 * 8, type.code()).segment(), type);
                List<TensorView> taken =
                        List.of(Tensors.zeros(type, given.count()), Tensors.zeros(type, given.count()));
                world.succeed(world.onAll(group -> group.broadcast(
                        group.rank() == 2 ? given : taken.get(group.rank()),
                        2,
                        CallOptions.DEFAULT.withAlgorithm(algorithm))));
                taken.forEach(tensor -> assertArrayEquals(Tensors.bytes(given), Tensors.bytes(tensor), type.label()));
            }
        }
    }
}
