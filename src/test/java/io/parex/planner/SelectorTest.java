package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.RingAllReduce;
import io.parex.schedule.Primitive;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
    private static final String ALL_REDUCE =
            "ring, recursive_doubling, rabenseifner, tree, double_tree, direct, direct_blocks";
    private static final String PRIMITIVES =
            "barrier, broadcast, scatter, gather, all_gather, reduce, reduce_scatter, all_reduce, all_to_all";

    private final AlgorithmRegistry registry = AlgorithmRegistry.standard();
    private final Selector selector = Selector.standard();

    private String select(Primitive primitive, int size, long bytes, String override) {
        return selector.select(primitive, size, bytes, override).name();
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, 1,     0, recursive_doubling",
        "ALL_REDUCE, 4, 65536, recursive_doubling",
        "ALL_REDUCE, 4, 65537, ring",
        "ALL_REDUCE, 3, 16384, recursive_doubling",
        "ALL_REDUCE, 3, 16385, ring",
        "ALL_REDUCE, 5, 65536, recursive_doubling",
        "ALL_REDUCE, 8, 12000000000, ring",
        "BROADCAST,  8, 65536, binomial",
        "BROADCAST,  8, 65537, chain",
        "BARRIER,    8,     0, dissemination",
        "GATHER,     8,     0, binomial",
        "GATHER,     3,     0, linear",
        "SCATTER,    4, 65536, binomial",
        "SCATTER,    4, 65537, linear",
        "SCATTER_V,  8,     0, linear",
        "ALL_GATHER, 4, 524288, recursive_doubling",
        "ALL_GATHER, 4, 524289, ring",
        "ALL_GATHER, 5, 81920, bruck",
        "ALL_GATHER, 5, 81921, ring",
        "ALL_GATHER_V, 5, 9223372036854775807, ring",
        "REDUCE,     5, 65536, binomial",
        "REDUCE,     5, 65537, chain",
        "REDUCE_SCATTER, 8, 524288, recursive_halving",
        "REDUCE_SCATTER, 8, 524289, ring",
        "REDUCE_SCATTER, 6, 8, ring",
        "ALL_TO_ALL, 8,  2048, bruck",
        "ALL_TO_ALL, 8,  2056, direct",
        "ALL_TO_ALL, 4,   256, direct",
        "ALL_TO_ALL, 4, 131076, pairwise",
        "ALL_TO_ALL_V, 8,   0, pairwise"
    })
    void shouldChooseByPrimitiveSizeAndBytes(Primitive primitive, int size, long bytes, String name) {
        assertEquals(name, select(primitive, size, bytes, null));
        assertEquals(name, select(primitive, size, bytes, ""));
        assertEquals(name, select(primitive, size, bytes, "auto"));
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_REDUCE, ring, ring",
        "ALL_REDUCE, ^recursive_doubling, ring",
        "ALL_REDUCE, all_reduce:ring;broadcast:^chain, ring",
        "BROADCAST,  all_reduce:ring;broadcast:chain, chain",
        "BROADCAST,  ' all_reduce : ring ; broadcast : ^ binomial ', chain",
        "BROADCAST,  all_reduce:ring, binomial",
        "BROADCAST,  ^chain, binomial"
    })
    void shouldLetAnOverrideDecide(Primitive primitive, String override, String name) {
        assertEquals(name, select(primitive, 4, 8, override));
    }

    @Test
    void shouldPreferTheCallsOverrideToTheConfiguredOne() {
        Selector configured =
                new Selector(registry, AlgorithmOverrides.parse("all_reduce:ring;broadcast:chain", registry));
        assertEquals("ring", configured.select(Primitive.ALL_REDUCE, 4, 8, null).name());
        assertEquals(
                "recursive_doubling",
                configured
                        .select(Primitive.ALL_REDUCE, 4, 8, "recursive_doubling")
                        .name());
        assertEquals(
                "recursive_doubling",
                configured.select(Primitive.ALL_REDUCE, 4, 8, "auto").name());
        assertEquals(
                "chain",
                configured.select(Primitive.BROADCAST, 4, 8, "all_reduce:ring").name());
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
                    assertTrue(selector.select(primitive, 4, bytes, null, true).inRankOrder(), primitive.label());
                }
            }
        }
        assertEquals(
                "direct",
                selector.select(Primitive.ALL_REDUCE, 4, 65536, null, true).name());
        assertEquals(
                "direct_blocks",
                selector.select(Primitive.ALL_REDUCE, 4, 65537, null, true).name());
        assertEquals(
                "chain",
                selector.select(Primitive.BROADCAST, 4, 65537, null, true).name());
    }

    @Test
    void shouldRefuseAnotherOrderOfADeterministicCall() {
        ParexException chosen =
                assertThrows(ParexException.class, () -> selector.select(Primitive.ALL_REDUCE, 4, 8, "ring", true));
        assertEquals(ErrorKind.ARGUMENT, chosen.kind());
        assertEquals(
                "the algorithms that are chosen for all_reduce (ring) cannot run a deterministic all_reduce; these"
                        + " can: direct, direct_blocks",
                chosen.getMessage());
        Selector without = new Selector(new AlgorithmRegistry(List.of(new RingAllReduce())), AlgorithmOverrides.none());
        ParexException none =
                assertThrows(ParexException.class, () -> without.select(Primitive.ALL_REDUCE, 4, 8, null, true));
        assertEquals(ErrorKind.UNSUPPORTED, none.kind());
        assertTrue(none.getMessage().startsWith("no algorithm for all_reduce reduces in the order"), none.getMessage());
    }

    @Test
    void shouldRefuseAPrimitiveWithoutAlgorithms() {
        ParexException refused = assertThrows(ParexException.class, () -> selector.select(Primitive.SEND, 2, 8, null));
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
