package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.RingAllReduce;
import io.parex.algorithm.Shape;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Step;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SelectorTest {
    private static final String ALL_REDUCE =
            "ring, recursive_doubling, rabenseifner, tree, double_tree, direct, direct_blocks, hierarchical";
    private static final String PRIMITIVES =
            "barrier, broadcast, scatter, gather, all_gather, reduce, reduce_scatter, all_reduce, all_to_all";

    private final AlgorithmRegistry registry = AlgorithmRegistry.standard();
    /** A network of 16 Gbit/s. */
    private final LinkCosts network = new LinkCosts(LinkKind.NETWORK, 30e-6, 6e-6, 5e-10, 1e-10, 0, 0);

    private final Selector selector = selector(AlgorithmOverrides.none(), network);

    private Selector selector(AlgorithmOverrides overrides, LinkCosts costs) {
        return new Selector(registry, overrides, costs);
    }

    private static String select(Selector from, Primitive primitive, int size, long bytes, String override) {
        return from.select(primitive, Shape.of(size, bytes), override, false).name();
    }

    private String select(Primitive primitive, int size, long bytes, String override) {
        return select(selector, primitive, size, bytes, override);
    }

    private String ordered(Primitive primitive, int size, long bytes, String override) {
        return selector.select(primitive, Shape.of(size, bytes), override, true).name();
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE,    1,           0, ring",
        "ALL_REDUCE,    2,          64, recursive_doubling",
        "ALL_REDUCE,    2,     4194304, ring",
        "ALL_REDUCE,    3,     4194304, ring",
        "ALL_REDUCE,    4,           8, direct",
        "ALL_REDUCE,    8,           8, recursive_doubling",
        "ALL_REDUCE,    16,    2097152, rabenseifner",
        "ALL_REDUCE,    8, 12000000000, ring",
        "ALL_REDUCE,    64,         64, recursive_doubling",
        "ALL_REDUCE,    64,    4194304, rabenseifner",
        "BROADCAST,     8,        4096, binomial",
        "BROADCAST,     8,     4194304, double_tree",
        "BROADCAST,     8,  1073741824, chain",
        "BARRIER,       8,           0, dissemination",
        "GATHER,        256,      6400, binomial",
        "GATHER,        3,           0, linear",
        "SCATTER,       256,      6400, binomial",
        "SCATTER,       4,    67108864, linear",
        "SCATTER_V,     8,           0, linear",
        "ALL_GATHER,    4,        4096, recursive_doubling",
        "ALL_GATHER,    4,    67108864, ring",
        "ALL_GATHER,    5,        4096, bruck",
        "ALL_GATHER_V,  5,    67108864, ring",
        "REDUCE,        16,      65536, binomial",
        "REDUCE,        5,    67108864, chain",
        "REDUCE_SCATTER, 16,   1048576, recursive_halving",
        "REDUCE_SCATTER, 8,   67108864, ring",
        "REDUCE_SCATTER, 6,          8, direct",
        "ALL_TO_ALL,    64,       6400, bruck",
        "ALL_TO_ALL,    4,         256, direct",
        "ALL_TO_ALL,    4,    67108864, pairwise",
        "ALL_TO_ALL_V,  64,       6400, direct"
    })
    void shouldChooseByPrimitiveSizeAndBytes(Primitive primitive, int size, long bytes, String name) {
        assertEquals(name, select(primitive, size, bytes, null));
        assertEquals(name, select(primitive, size, bytes, ""));
        assertEquals(name, select(primitive, size, bytes, "auto"));
    }

    /** Ranks that share processors gain nothing from sending much at once. */
    @Test
    void shouldChooseByCostsOfLinks() {
        LinkCosts shared = new LinkCosts(LinkKind.MEMORY, 1e-6, 6e-6, 5e-10, 1e-10, 1, 0);
        assertEquals("direct", select(Primitive.ALL_REDUCE, 5, 64, null));
        Selector onOneProcessor = selector(AlgorithmOverrides.none(), shared);
        assertEquals("tree", select(onOneProcessor, Primitive.ALL_REDUCE, 16, 64, null));
        LinkCosts far = new LinkCosts(LinkKind.NETWORK, 5e-3, 1e-3, 5e-10, 1e-10, 0, 0);
        assertEquals("rabenseifner", select(Primitive.ALL_REDUCE, 16, 1 << 20, null));
        assertEquals(
                "recursive_doubling",
                select(selector(AlgorithmOverrides.none(), far), Primitive.ALL_REDUCE, 16, 1 << 20, null));
    }

    /** What the tables that are built in promise to users of any number of ranks. */
    @ParameterizedTest
    @EnumSource
    void shouldSendFewMessagesOfSmallTensorsAndFewBytesOfLargeOnes(LinkKind kind) {
        Selector standard =
                selector(AlgorithmOverrides.none(), CostTable.standard().of(kind));
        for (int size : IntStream.concat(IntStream.range(2, 20), IntStream.of(33, 64, 100))
                .toArray()) {
            for (long bytes : new long[] {4, 1 << 10, 16 << 10, 64 << 10}) {
                Algorithm small = standard.select(Primitive.ALL_REDUCE, Shape.of(size, bytes), null, false);
                int doublings = 32 - Integer.numberOfLeadingZeros(size - 1);
                assertTrue(most(small, size, bytes, send -> 1) <= 2 * doublings, small.name() + " of " + size);
            }
            int count = 64 << 20;
            Algorithm large = standard.select(Primitive.ALL_REDUCE, new Shape(size, 4.0 * count, 4, 4), null, false);
            assertTrue(
                    most(large, size, count, Step.Send::length) <= 1.01 * 2 * (size - 1) / size * count,
                    large.name() + " of " + size);
        }
    }

    /** Messages or elements of the rank that sends most. */
    private static long most(Algorithm algorithm, int size, long count, ToLongFunction<Step.Send> what) {
        long most = 0;
        for (int rank = 0; rank < size; rank++) {
            Problem problem = Problem.of(algorithm.primitive(), rank, size, count, 0, false);
            most = Math.max(
                    most,
                    algorithm.schedule(problem).steps().stream()
                            .filter(Step.Send.class::isInstance)
                            .mapToLong(step -> what.applyAsLong((Step.Send) step))
                            .sum());
        }
        return most;
    }

    /** Memory for scratch is limited: what is chosen for large tensors passes partial results on through windows. */
    @ParameterizedTest
    @EnumSource
    void shouldNeedLittleScratch(LinkKind kind) {
        Selector standard =
                selector(AlgorithmOverrides.none(), CostTable.standard().of(kind));
        for (Primitive primitive : Primitive.values()) {
            for (int size : registry.of(primitive).isEmpty() ? new int[0] : new int[] {2, 3, 8, 13, 64, 1024}) {
                for (long bytes = 1 << 10; bytes <= 1L << 34; bytes *= 4) {
                    Shape halves = new Shape(size, bytes, 2, 4);
                    Algorithm chosen = standard.select(primitive, halves, null, false);
                    double scratch = chosen.effort(halves).scratchBytes();
                    double most = kind == LinkKind.MEMORY ? 512 << 10 : 4 << 20;
                    assertTrue(scratch <= most, chosen.name() + " " + primitive + " of " + bytes + " on " + size);
                }
            }
        }
    }

    /** Halves are summed in float32, which travels in every round but the first; results do not. */
    @Test
    void shouldCountTheWidthOfPartialResults() {
        double same =
                network.seconds(registry.find(Primitive.ALL_REDUCE, "ring").effort(new Shape(8, 1 << 28, 2, 2)));
        double wider =
                network.seconds(registry.find(Primitive.ALL_REDUCE, "ring").effort(new Shape(8, 1 << 28, 2, 4)));
        double chunk = (1 << 28) / 8.0;
        double moreBytes = 6 * chunk * network.perByte() + 7 * chunk * network.perReducedByte();
        assertEquals(moreBytes, wider - same, 0.01 * moreBytes);
    }

    @Test
    void shouldTakeATensorOfUnknownSizeForALargeOne() {
        Shape open = Selector.open(8, 4, 4);
        assertEquals(
                "pairwise",
                selector.select(Primitive.ALL_TO_ALL_V, open, null, false).name());
        assertEquals(
                "ring",
                selector.select(Primitive.ALL_GATHER_V, open, null, false).name());
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, ring, ring",
        "ALL_REDUCE, '^direct, direct_blocks, tree, double_tree', recursive_doubling",
        "ALL_REDUCE, all_reduce:ring;broadcast:^chain, ring",
        "BROADCAST,  all_reduce:ring;broadcast:chain, chain",
        "BROADCAST,  ' all_reduce : ring ; broadcast : ^ binomial , double_tree ', chain",
        "BROADCAST,  all_reduce:ring, binomial",
        "BROADCAST,  ^chain, binomial"
    })
    void shouldLetAnOverrideDecide(Primitive primitive, String override, String name) {
        assertEquals(name, select(primitive, 4, 8, override));
    }

    @Test
    void shouldPreferTheCallsOverrideToTheConfiguredOne() {
        Selector configured = selector(AlgorithmOverrides.parse("all_reduce:ring;broadcast:chain", registry), network);
        assertEquals("ring", select(configured, Primitive.ALL_REDUCE, 4, 8, null));
        assertEquals("rabenseifner", select(configured, Primitive.ALL_REDUCE, 4, 8, "rabenseifner"));
        assertEquals("direct", select(configured, Primitive.ALL_REDUCE, 4, 8, "auto"));
        assertEquals("chain", select(configured, Primitive.BROADCAST, 4, 8, "all_reduce:ring"));
    }

    /** Who configures an algorithm for a primitive has the plain form in mind. */
    @Test
    void shouldChooseForAVFormThatTheConfiguredAlgorithmDoesNotRun() {
        Selector configured = selector(AlgorithmOverrides.parse("gather:binomial;all_to_all:bruck", registry), network);
        assertEquals("binomial", select(configured, Primitive.GATHER, 4, 8, null));
        assertEquals("linear", select(configured, Primitive.GATHER_V, 4, 8, null));
        assertEquals("direct", select(configured, Primitive.ALL_TO_ALL_V, 4, 8, null));
        assertThrows(ParexException.class, () -> select(configured, Primitive.GATHER_V, 4, 8, "binomial"));
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        String of = "algorithm override '%s': %s";
        refused("ring", of.formatted("ring", "'ring' is not of the form PRIMITIVE:ALGORITHM"));
        refused("all_reduce:rong", "no algorithm 'rong' for all_reduce; known: " + ALL_REDUCE);
        refused("all_reduce:", "no algorithm '' for all_reduce; known: " + ALL_REDUCE);
        refused("all_reduce:^", "no algorithm '' for all_reduce; known: " + ALL_REDUCE);
        refused("sum:ring", of.formatted("sum:ring", "no primitive 'sum' with algorithms; known: " + PRIMITIVES));
        refused("send:ring", of.formatted("send:ring", "no primitive 'send' with algorithms; known: " + PRIMITIVES));
        refused(
                "broadcast:chain;broadcast:chain",
                of.formatted("broadcast:chain;broadcast:chain", "broadcast is named twice"));
        refused("barrier:^dissemination", of.formatted("barrier:^dissemination", "no algorithm is left for barrier"));
        refused(";", of.formatted(";", "'' is not of the form PRIMITIVE:ALGORITHM"));
        refused("broadcast:chain;;", of.formatted("broadcast:chain;;", "'' is not of the form PRIMITIVE:ALGORITHM"));
    }

    @Test
    void shouldRefuseAnAlgorithmThatDoesNotRunTheVForm() {
        assertEquals("bruck", select(Primitive.ALL_TO_ALL, 4, 8, "bruck"));
        ParexException refused =
                assertThrows(ParexException.class, () -> select(Primitive.ALL_TO_ALL_V, 4, 8, "bruck"));
        assertEquals(
                "the algorithms that are chosen for all_to_all (bruck) cannot run all_to_all_v; these can:"
                        + " pairwise, direct",
                refused.getMessage());
    }

    @Test
    void shouldReduceInTheOrderOfTheRanksWhereResultsMustNotDependOnTheAlgorithm() {
        for (Primitive primitive : Primitive.values()) {
            for (long bytes : new long[] {8, 1 << 20}) {
                if (primitive.reducing()) {
                    Algorithm chosen = selector.select(primitive, Shape.of(4, bytes), null, true);
                    assertTrue(chosen.inRankOrder(), primitive.label());
                }
            }
        }
        assertEquals("direct", ordered(Primitive.ALL_REDUCE, 4, 1024, null));
        assertEquals("direct_blocks", ordered(Primitive.ALL_REDUCE, 4, 1 << 20, null));
        assertEquals("chain", ordered(Primitive.BROADCAST, 4, 1 << 30, null));
    }

    @Test
    void shouldRefuseAnotherOrderOfADeterministicCall() {
        ParexException chosen = assertThrows(ParexException.class, () -> ordered(Primitive.ALL_REDUCE, 4, 8, "ring"));
        assertEquals(ErrorKind.ARGUMENT, chosen.kind());
        assertEquals(
                "the algorithms that are chosen for all_reduce (ring) cannot run a deterministic all_reduce; these"
                        + " can: direct, direct_blocks",
                chosen.getMessage());
        Selector without =
                new Selector(new AlgorithmRegistry(List.of(new RingAllReduce())), AlgorithmOverrides.none(), network);
        ParexException none = assertThrows(
                ParexException.class, () -> without.select(Primitive.ALL_REDUCE, Shape.of(4, 8), null, true));
        assertEquals(ErrorKind.UNSUPPORTED, none.kind());
        assertTrue(none.getMessage().startsWith("no algorithm for all_reduce reduces in the order"), none.getMessage());
    }

    @Test
    void shouldRefuseAPrimitiveWithoutAlgorithms() {
        ParexException refused = assertThrows(ParexException.class, () -> select(Primitive.SEND, 2, 8, null));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertEquals("no algorithm runs send", refused.getMessage());
    }

    private void refused(String text, String message) {
        ParexException refused =
                assertThrows(ParexException.class, () -> AlgorithmOverrides.parse(text, registry), text);
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertEquals(message, refused.getMessage());
    }
}
