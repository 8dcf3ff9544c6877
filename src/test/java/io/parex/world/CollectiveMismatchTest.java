package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Members that call primitives with arguments that do not fit together: all are told, by both values. */
class CollectiveMismatchTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final long BOUND_NANOS = Duration.ofSeconds(2).toNanos();
    private static final int LARGE = 30_000;

    /**
     * What rank 1 does, and the others, of a group of 3.
     *
     * @param texts parts of what every rank is told
     * @param inTheCall ranks that are told in the call itself
     */
    private record Disagreement(
            String name,
            Function<ProcessGroup, Work> most,
            Function<ProcessGroup, Work> one,
            List<String> texts,
            List<Integer> inTheCall) {

        Disagreement toldInTheCall(Integer... ranks) {
            return new Disagreement(name, most, one, texts, List.of(ranks));
        }
    }

    static Stream<Arguments> disagreements() {
        return OnEveryTransport.Transports.all()
                .flatMap(factory -> all().map(each -> Arguments.of(factory, Named.of(each.name, each))));
    }

    private static Stream<Disagreement> all() {
        return Stream.of(ofFields(), ofLengths(), ofPairs()).flatMap(each -> each);
    }

    private static Stream<Disagreement> ofFields() {
        return Stream.of(
                of(
                        "type",
                        group -> allGather(group, DataType.INT32),
                        group -> allGather(group, DataType.FLOAT32),
                        "type"),
                of(
                                "count of a gather",
                                group -> group.gather(zeros(2), atRoot(group, 0, 6), 0, DEFAULT),
                                group -> group.gather(zeros(4), atRoot(group, 0, 12), 0, DEFAULT),
                                "count",
                                "gather(int32 x 6, root 0",
                                "gather(int32 x 12, root 0")
                        .toldInTheCall(0, 1),
                of(
                        "operation",
                        group -> group.reduceScatter(zeros(6), zeros(2), ReduceOp.SUM, DEFAULT),
                        group -> group.reduceScatter(zeros(6), zeros(2), ReduceOp.MAX, DEFAULT),
                        "op "),
                of("root of a reduce", group -> reduce(group, 0), group -> reduce(group, 1), "root 0", "root 1")
                        .toldInTheCall(1),
                of("root of a scatter", group -> scatter(group, 0), group -> scatter(group, 1), "root 0", "root 1")
                        .toldInTheCall(1),
                of(
                        "order of the sum",
                        group -> group.allReduce(
                                List.of(zeros(1), zeros(3)),
                                List.of(zeros(1), zeros(3)),
                                ReduceOp.SUM,
                                DEFAULT.withAlgorithm("recursive_doubling")),
                        group -> group.allReduce(
                                List.of(zeros(1), zeros(3)),
                                List.of(zeros(1), zeros(3)),
                                ReduceOp.SUM,
                                DEFAULT.withDeterministic(true)),
                        "algorithm recursive_doubling",
                        "algorithm direct"),
                of(
                        "factor",
                        group -> premultiplied(group, 0.5),
                        group -> premultiplied(group, 0.25),
                        "factor 0.5",
                        "factor 0.25"));
    }

    private static Stream<Disagreement> ofLengths() {
        return Stream.of(
                of(
                        "lengths that all know",
                        group -> group.allGatherV(zeros(group.rank()), zeros(3), new long[] {0, 1, 2}, DEFAULT),
                        group -> group.allGatherV(zeros(2), zeros(4), new long[] {0, 2, 2}, DEFAULT),
                        "lengths 0,1,2",
                        "lengths 0,2,2"),
                of(
                        "lengths known and open",
                        group -> group.allGatherV(zeros(1), zeros(3), new long[] {1, 1, 1}, DEFAULT),
                        group -> group.allGatherVOpen(zeros(1), zeros(3), DEFAULT),
                        "lengths 1,1,1",
                        "lengths open"),
                of(
                        "plain and v-form",
                        group -> group.allGather(zeros(1), zeros(3), DEFAULT),
                        group -> group.allGatherV(zeros(1), zeros(3), new long[] {1, 1, 1}, DEFAULT),
                        "primitive"),
                of(
                        "lists",
                        group -> list(group, zeros(1), zeros(3)),
                        group -> list(group, zeros(2), zeros(2)),
                        "tensors 1,3",
                        "tensors 2,2"));
    }

    private static Stream<Disagreement> ofPairs() {
        return Stream.of(
                of(
                                "a block of a gather",
                                group -> group.gatherV(zeros(1), atRoot(group, 0, 4), new long[] {1, 2, 1}, 0, DEFAULT),
                                group -> group.gatherV(zeros(3), null, null, 0, DEFAULT),
                                "rank 1 sends 3 int32 to rank 0, which takes 2 from it")
                        .toldInTheCall(0, 1),
                of(
                                "a block of a scatter",
                                group ->
                                        group.scatterV(atRoot(group, 0, 4), zeros(1), new long[] {1, 2, 1}, 0, DEFAULT),
                                group -> group.scatterV(null, zeros(3), null, 0, DEFAULT),
                                "rank 0 sends 2 int32 to rank 1, which takes 3 from it")
                        .toldInTheCall(0, 1),
                pairs("a pair", 1, 3),
                pairs("a pair by little", 1, 2),
                pairs("nothing and something", 0, 2),
                pairs("something and nothing", 2, 0),
                pairs("much too little", 1, LARGE),
                pairs("much too much", LARGE, 1),
                pairs("much and little more", LARGE, LARGE + 1),
                pairs("much and little less", LARGE + 1, LARGE));
    }

    private static Disagreement of(
            String name, Function<ProcessGroup, Work> most, Function<ProcessGroup, Work> one, String... texts) {
        return new Disagreement(name, most, one, List.of(texts), List.of(0, 1, 2));
    }

    /** Rank 0 sends rank 1 {@code sent} elements, and rank 1 takes {@code taken} from it; all else is equal. */
    private static Disagreement pairs(String name, int sent, int taken) {
        return of(
                        name,
                        group -> exchange(group, new long[] {1, group.rank() == 0 ? sent : 1, 1}, new long[] {1, 1, 1}),
                        group -> exchange(group, new long[] {1, 1, 1}, new long[] {taken, 1, 1}),
                        "rank 0 sends " + sent + " int32 to rank 1, which takes " + taken + " from it")
                .toldInTheCall(0, 1);
    }

    private static Work exchange(ProcessGroup group, long[] sent, long[] taken) {
        return group.allToAllV(
                zeros(sum(sent)), Tensors.filled(DataType.INT32, sum(taken), i -> 7), sent, taken, DEFAULT);
    }

    private static int sum(long[] lengths) {
        return (int) Arrays.stream(lengths).sum();
    }

    private static Work allGather(ProcessGroup group, DataType type) {
        return group.allGather(Tensors.zeros(type, 2), Tensors.zeros(type, 6), DEFAULT);
    }

    private static Work reduce(ProcessGroup group, int root) {
        return group.reduce(zeros(2), atRoot(group, root, 2), ReduceOp.SUM, root, DEFAULT);
    }

    private static Work scatter(ProcessGroup group, int root) {
        return group.scatter(atRoot(group, root, 6), zeros(2), root, DEFAULT);
    }

    private static Work premultiplied(ProcessGroup group, double factor) {
        return group.allReduce(Tensors.floats(1), Tensors.floats(0), ReduceOp.PREMUL_SUM, factor, DEFAULT);
    }

    private static Work list(ProcessGroup group, TensorView... tensors) {
        return group.allReduce(List.of(tensors), List.of(tensors), ReduceOp.SUM, DEFAULT);
    }

    private static TensorView zeros(int count) {
        return Tensors.zeros(DataType.INT32, count);
    }

    private static TensorView atRoot(ProcessGroup group, int root, int count) {
        return group.rank() == root ? zeros(count) : null;
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("disagreements")
    void shouldTellAllMembersBothValues(Harness.Factory factory, Disagreement each) {
        try (Harness world = factory.start(3)) {
            long start = world.nanoTime();
            List<Work> works = world.onAll(group -> (group.rank() == 1 ? each.one : each.most).apply(group));
            world.settle(works);
            assertTrue(world.nanoTime() - start < BOUND_NANOS, "it took more than 2 s");
            if (!works.stream().allMatch(CollectiveMismatchTest::hasFailed)) {
                world.pass(Duration.ofMillis(200));
            }
            for (int rank = 0; rank < 3; rank++) {
                // A rank that had no part in the difference may have completed: its next call says so.
                Work told = hasFailed(works.get(rank))
                        ? works.get(rank)
                        : world.group(rank).barrier(DEFAULT);
                String text = world.failure(ErrorKind.MISMATCH, told);
                each.texts.forEach(said -> assertTrue(text.contains(said), text));
                assertTrue(told == works.get(rank) || !each.inTheCall.contains(rank), "rank " + rank + " completed");
            }
            world.assertUsable();
        }
    }

    private static boolean hasFailed(Work work) {
        try {
            work.await();
            return false;
        } catch (ParexException e) {
            return true;
        }
    }

    /** C36: splits that disagree by much and by little; what would have been overwritten is not. */
    @OnEveryTransport
    void shouldNamePairsThatDisagreeAndLeaveTheirBuffers(Harness.Factory factory) {
        for (long expected : new long[] {3, 2}) {
            try (Harness world = factory.start(2)) {
                TensorView untouched = Tensors.filled(DataType.FLOAT32, expected, i -> 7);
                Work zero = world.group(0)
                        .allToAllV(
                                Tensors.floats(1),
                                Tensors.zeros(DataType.FLOAT32, 0),
                                new long[] {0, 1},
                                new long[2],
                                DEFAULT);
                Work one = world.group(1)
                        .allToAllV(
                                Tensors.zeros(DataType.FLOAT32, 0),
                                untouched,
                                new long[2],
                                new long[] {expected, 0},
                                DEFAULT);
                for (Work work : List.of(zero, one)) {
                    String text = world.failure(ErrorKind.MISMATCH, work);
                    String said = "rank 0 sends 1 float32 to rank 1, which takes " + expected + " from it";
                    assertTrue(text.startsWith(said), text);
                }
                Tensors.assertSame(Tensors.filled(DataType.FLOAT32, expected, i -> 7), untouched, "output");
                world.assertUsable();
            }
        }
    }

    /** C61: each of two ranks takes itself for the root, or the other one. */
    @OnEveryTransport
    void shouldNameBothRootsOfAReduce(Harness.Factory factory) {
        for (int shift : new int[] {0, 1}) {
            try (Harness world = factory.start(2)) {
                List<Work> works = world.onAll(group -> reduce(group, (group.rank() + shift) % 2));
                for (Work work : works) {
                    String text = world.failure(ErrorKind.MISMATCH, work);
                    assertTrue(text.contains("root 0 / 1") || text.contains("root 1 / 0"), text);
                }
                world.assertUsable();
            }
        }
    }

    /** C66: both calls and what differs, on each rank. */
    @OnEveryTransport
    void shouldShowBothCallsWhereOneReducesToARoot(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView tensor = Tensors.zeros(DataType.FLOAT32, 200);
            Work all = world.group(0).allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
            Work root = world.group(1).reduce(Tensors.copy(tensor), tensor, ReduceOp.SUM, 1, DEFAULT);
            for (Work work : List.of(all, root)) {
                String text = world.failure(ErrorKind.MISMATCH, work);
                assertTrue(text.contains("all_reduce(float32 x 200, op sum, algorithm recursive_doubling)"), text);
                assertTrue(text.contains(" reduce(float32 x 200, op sum, root 1, algorithm binomial)"), text);
                assertTrue(text.contains("of group world, call #0"), text);
            }
            world.assertUsable();
        }
    }

    /** More comes than there is room for: the ranks are told by how much, and nobody's memory is written. */
    @OnEveryTransport
    void shouldFailAllWhereOneHasTooLittleRoom(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<TensorView> outputs = IntStream.range(0, 3)
                    .mapToObj(rank -> Tensors.zeros(DataType.INT32, rank == 2 ? 5 : 9))
                    .toList();
            List<Work> works = world.onAll(group -> group.allGatherVOpen(
                    Tensors.filled(DataType.INT32, 1 + group.rank(), i -> 1), outputs.get(group.rank()), DEFAULT));
            for (Work work : works) {
                String text = world.failure(ErrorKind.ARGUMENT, work);
                assertTrue(text.startsWith("the output of rank 2 has room for 5 int32, and 6 come to it"), text);
                assertTrue(text.contains("(lengths 1,2,3)"), text);
            }
            world.assertUsable();
        }
    }
}
