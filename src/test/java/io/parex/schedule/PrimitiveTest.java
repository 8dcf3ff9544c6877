package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PrimitiveTest {

    private static List<Primitive> those(Predicate<Primitive> property) {
        return Arrays.stream(Primitive.values())
                .filter(primitive -> !primitive.isV() && property.test(primitive))
                .toList();
    }

    @Test
    void shouldSortPrimitivesByWhatTheyDo() {
        assertEquals(
                "[BARRIER, ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL]",
                those(Primitive::synchronising).toString());
        assertEquals(
                "[ALL_REDUCE, REDUCE, REDUCE_SCATTER]",
                those(Primitive::reducing).toString());
        assertEquals(
                "[BROADCAST, SCATTER, GATHER, REDUCE]", those(Primitive::rooted).toString());
        assertEquals(
                "[SCATTER, GATHER, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL]",
                those(Primitive::isBlocked).toString());
    }

    @ParameterizedTest
    @EnumSource
    void shouldDoInTheVFormWhatThePrimitiveDoes(Primitive primitive) {
        Primitive form = primitive.vForm();
        assertEquals(primitive.base(), form.base());
        assertEquals(primitive.isBlocked(), form.isV());
        assertEquals(primitive.synchronising(), form.synchronising());
        assertEquals(primitive.reducing(), form.reducing());
        assertEquals(primitive.rooted(), form.rooted());
        assertEquals(primitive.busFactor(5), form.busFactor(5));
        assertEquals(primitive.base().label() + (form.isV() ? "_v" : ""), form.label());
    }

    @ParameterizedTest
    @CsvSource({"ALL_REDUCE, 1.5", "REDUCE_SCATTER, 0.75", "ALL_TO_ALL_V, 0.75", "GATHER, 0.75", "REDUCE, 1", "SEND, 1"
    })
    void shouldCountBusBandwidthAsNcclTestsDoes(Primitive primitive, double factor) {
        assertEquals(factor, primitive.busFactor(4));
    }
}
