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
        assertEquals(5, registry.all().size());
        for (Algorithm algorithm : registry.all()) {
            assertEquals(algorithm, registry.find(algorithm.primitive(), algorithm.name()));
        }
    }

    @Test
    void shouldListTheAlgorithmsOfAPrimitive() {
        assertEquals(List.of("binomial", "chain"), names(Primitive.BROADCAST));
        assertEquals(List.of("ring", "recursive_doubling"), names(Primitive.ALL_REDUCE));
        assertEquals(List.of("dissemination"), names(Primitive.BARRIER));
        assertEquals(List.of(), names(Primitive.SEND));
    }

    @Test
    void shouldNameTheKnownAlgorithmsWhereOneIsUnknown() {
        refused("no algorithm 'rong' for all_reduce; known: ring, recursive_doubling", Primitive.ALL_REDUCE, "rong");
        refused("no algorithm 'ring' for broadcast; known: binomial, chain", Primitive.BROADCAST, "ring");
        refused("no algorithm 'ring' for send; known: none", Primitive.SEND, "ring");
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
