package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReductionsTest {
    private static final Set<ReduceOp> ARITHMETIC =
            Set.of(ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT);

    @ParameterizedTest
    @EnumSource(DataType.class)
    void shouldGiveWhatItSupportsAndRefuseTheRestByName(DataType type) {
        for (ReduceOp op : ReduceOp.values()) {
            boolean computed = Elements.COMPUTED.contains(type) && ARITHMETIC.contains(op);
            assertEquals(computed, Reductions.supports(type, op), type + " " + op);
            if (computed) {
                assertEquals(type, Reductions.of(type, op, 2).type());
            } else {
                ParexException refusal = assertThrows(ParexException.class, () -> Reductions.of(type, op, 2));
                assertEquals(ErrorKind.UNSUPPORTED, refusal.kind());
                assertTrue(refusal.getMessage().contains(op.label() + " of " + type.label()), refusal.getMessage());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ReduceOp.class,
            names = {"SUM", "AVG", "MIN", "MAX", "PRODUCT"})
    void shouldAccumulateOnlyAveragesOfInt32InAWiderType(ReduceOp op) {
        for (DataType type : Elements.COMPUTED) {
            DataType partial = type == DataType.INT32 && op == ReduceOp.AVG ? DataType.INT64 : type;
            assertEquals(partial, Reductions.of(type, op, 3).partialType());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void shouldRefuseAGroupWithoutRanks(int ranks) {
        ParexException refusal =
                assertThrows(ParexException.class, () -> Reductions.of(DataType.INT32, ReduceOp.SUM, ranks));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
    }
}
