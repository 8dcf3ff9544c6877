package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.schedule.Primitive;
import java.util.List;
import org.junit.jupiter.api.Test;

class AlgorithmRegistryTest {
    private final AlgorithmRegistry registry = AlgorithmRegistry.standard();

    @Test
    void shouldFindEveryAlgorithmByPrimitiveAndName() {
        assertEquals(32, registry.all().size());
        for (Algorithm algorithm : registry.all()) {
            assertEquals(algorithm, registry.find(algorithm.primitive(), algorithm.name()));
        }
    }

    @Test
    void shouldListTheAlgorithmsOfAPrimitive() {
        assertEquals(
                List.of("binomial", "chain", "scatter_all_gather", "double_tree", "circulant", "hierarchical"),
                names(Primitive.BROADCAST));
        assertEquals(
                List.of(
                        "ring",
                        "recursive_doubling",
                        "rabenseifner",
                        "tree",
                        "double_tree",
                        "direct",
                        "direct_blocks",
                        "hierarchical"),
                names(Primitive.ALL_REDUCE));
        assertEquals(List.of("pairwise", "direct", "bruck"), names(Primitive.ALL_TO_ALL));
        assertEquals(names(Primitive.ALL_TO_ALL), names(Primitive.ALL_TO_ALL_V));
        assertEquals(List.of("dissemination"), names(Primitive.BARRIER));
        assertEquals(List.of(), names(Primitive.SEND));
    }

    @Test
    void shouldNameTheKnownAlgorithmsWhereOneIsUnknown() {
        refused("no algorithm 'rong' for reduce_scatter; known: ring, recursive_halving, direct", "rong");
        refused("no algorithm '' for reduce_scatter; known: ring, recursive_halving, direct", "");
        refused("no algorithm 'ring' for send; known: none", Primitive.SEND, "ring");
    }

    private void refused(String message, String name) {
        refused(message, Primitive.REDUCE_SCATTER, name);
    }

    private void refused(String message, Primitive primitive, String name) {
        ParexException refused = assertThrows(ParexException.class, () -> registry.find(primitive, name));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertEquals(message, refused.getMessage());
    }

    private List<String> names(Primitive primitive) {
        return registry.of(primitive).stream().map(Algorithm::name).toList();
    }
}
