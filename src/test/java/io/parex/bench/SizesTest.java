package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import java.util.List;
import org.junit.jupiter.api.Test;

class SizesTest {

    @Test
    void shouldGrowByTheFactorUpToTheLimit() {
        assertEquals(List.of(2L, 8L, 32L), new Sizes(8, 128, 4).counts(DataType.FLOAT32));
        assertEquals(List.of(2L, 8L, 31L), new Sizes(8, 127, 4).counts(DataType.FLOAT32));
        assertEquals(List.of(8L), new Sizes(8, 8, 2).counts(DataType.UINT8));
        assertEquals(List.of(8L), new Sizes(64, 71, 2).counts(DataType.FLOAT64));
    }

    @Test
    void shouldEndAtTheDefaultLimit() {
        assertEquals(64L << 20, new Sizes(8, 64 << 20, 4).counts(DataType.UINT8).getLast());
    }

    @Test
    void shouldRoundDownToWholeElements() {
        assertEquals(List.of(1L, 2L, 5L), new Sizes(11, 44, 2).counts(DataType.FLOAT64));
    }

    @Test
    void shouldNotOverflowAtTheLargestSize() {
        List<Long> counts = new Sizes(1, Long.MAX_VALUE, 2).counts(DataType.UINT8);
        assertEquals(64, counts.size());
        assertEquals(Long.MAX_VALUE, counts.getLast());
    }

    @Test
    void shouldSayThatTheLeastSizeHoldsNoElement() {
        ParexException refused = assertThrows(ParexException.class, () -> new Sizes(7, 64, 2).counts(DataType.FLOAT64));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertTrue(refused.getMessage().contains("7 bytes, does not hold one float64"), refused.getMessage());
    }

    @Test
    void shouldRefuseWhatNeverGrowsOrEnds() {
        assertThrows(ParexException.class, () -> new Sizes(0, 64, 2));
        assertThrows(ParexException.class, () -> new Sizes(8, 64, 1));
        assertThrows(ParexException.class, () -> new Sizes(64, 8, 2));
    }
}
