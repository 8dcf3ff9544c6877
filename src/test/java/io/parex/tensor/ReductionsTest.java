package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReductionsTest {
    private static final String INTEGER = "sum, avg, min, max, product, band, bor, bxor";
    private static final String FLOATING = "sum, avg, min, max, product, premul_sum";
    private static final Map<DataType, String> COMPUTED = Map.ofEntries(
            Map.entry(DataType.BOOL, "sum, min, max, product, band, bor, bxor"),
            Map.entry(DataType.UINT8, INTEGER),
            Map.entry(DataType.INT8, INTEGER),
            Map.entry(DataType.INT16, INTEGER),
            Map.entry(DataType.INT32, INTEGER),
            Map.entry(DataType.INT64, INTEGER),
            Map.entry(DataType.FLOAT16, FLOATING),
            Map.entry(DataType.BFLOAT16, FLOATING),
            Map.entry(DataType.FLOAT32, FLOATING),
            Map.entry(DataType.FLOAT64, FLOATING),
            Map.entry(DataType.COMPLEX64, "sum, avg, premul_sum"),
            Map.entry(DataType.COMPLEX128, "sum, avg, premul_sum"),
            Map.entry(DataType.FLOAT8_E4M3, ""),
            Map.entry(DataType.FLOAT8_E5M2, ""),
            Map.entry(DataType.UINT16, ""),
            Map.entry(DataType.UINT32, ""),
            Map.entry(DataType.UINT64, ""));

    @ParameterizedTest
    @EnumSource(DataType.class)
    void shouldGiveWhatItSupportsAndRefuseTheRestByName(DataType type) {
        List<String> computed = List.of(COMPUTED.get(type).split(", "));
        for (ReduceOp op : ReduceOp.values()) {
            boolean known = computed.contains(op.label());
            assertEquals(known, Reductions.supports(type, op), type + " " + op);
            if (known) {
                assertEquals(type, Reductions.of(type, op, 2, 1).type());
            } else {
                ParexException refusal = assertThrows(ParexException.class, () -> Reductions.of(type, op, 2));
                assertEquals(ErrorKind.UNSUPPORTED, refusal.kind());
                assertTrue(
                        refusal.getMessage().startsWith(op.label() + " of " + type.label() + " is not computed"),
                        refusal.getMessage());
                assertTrue(refusal.getMessage().endsWith(COMPUTED.get(type)), refusal.getMessage());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FLOAT8_E4M3 | SUM | sum of float8_e4m3 is not computed; values of this type are only carried
            BOOL | AVG | avg of bool is not computed; computed for it: sum, min, max, product, band, bor, bxor
            COMPLEX64 | MIN | min of complex64 is not computed: complex numbers have no order; \
            computed for it: sum, avg, premul_sum
            INT8 | PREMUL_SUM | premul_sum of int8 is not computed; \
            computed for it: sum, avg, min, max, product, band, bor, bxor
            """)
    void shouldSayWhatThereIsInstead(DataType type, ReduceOp op, String expected) {
        ParexException refusal = assertThrows(ParexException.class, () -> Reductions.of(type, op, 2));
        assertEquals(expected, refusal.getMessage());
    }

    @Test
    void shouldAccumulateInAWiderTypeWhereSumsNeedIt() {
        String wider = Elements.COMPUTED.stream()
                .flatMap(type -> Reductions.operations(type).stream().flatMap(op -> {
                    DataType partial = Reductions.of(type, op, 3, 1).partialType();
                    return partial == type ? Stream.of() : Stream.of(type + " " + op + " " + partial);
                }))
                .collect(Collectors.joining("\n"));
        assertEquals("""
                UINT8 AVG INT64
                INT8 AVG INT64
                INT16 AVG INT64
                INT32 AVG INT64
                FLOAT16 SUM FLOAT32
                FLOAT16 AVG FLOAT32
                FLOAT16 PRODUCT FLOAT32
                FLOAT16 PREMUL_SUM FLOAT32
                BFLOAT16 SUM FLOAT32
                BFLOAT16 AVG FLOAT32
                BFLOAT16 PRODUCT FLOAT32
                BFLOAT16 PREMUL_SUM FLOAT32""", wider);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void shouldRefuseAGroupWithoutRanks(int ranks) {
        ParexException refusal =
                assertThrows(ParexException.class, () -> Reductions.of(DataType.INT32, ReduceOp.SUM, ranks));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            FLOAT64    | PREMUL_SUM | NaN       | must be finite, as float64
            COMPLEX128 | PREMUL_SUM | -Infinity | must be finite, as float64
            FLOAT16    | PREMUL_SUM | Infinity  | must be finite, as float32
            FLOAT32    | PREMUL_SUM | 1e39      | a factor of 1.0E39 for premul_sum of float32: it must be finite
            COMPLEX64  | PREMUL_SUM | 1e39      | must be finite, as float32
            FLOAT32    | SUM        | 2         | sum takes no factor, and 2.0 is given
            INT32      | AVG        | NaN       | avg takes no factor
            """)
    void shouldRefuseFactorsThatCannotBeMeant(DataType type, ReduceOp op, double factor, String expected) {
        ParexException refusal = assertThrows(ParexException.class, () -> Reductions.of(type, op, 2, factor));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains(expected), refusal.getMessage());
    }

    @Test
    void shouldTakeLargeFactorsInFloat64AndWantOneAtAll() {
        assertEquals(
                DataType.FLOAT64,
                Reductions.of(DataType.FLOAT64, ReduceOp.PREMUL_SUM, 2, 1e39).partialType());
        ParexException refusal =
                assertThrows(ParexException.class, () -> Reductions.of(DataType.FLOAT32, ReduceOp.PREMUL_SUM, 2));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertEquals("premul_sum of float32 needs a factor, and none is given", refusal.getMessage());
    }
}
