package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BlocksTest {

    @Test
    void shouldGiveTheFirstChunksOneElementMore() {
        Blocks chunks = Blocks.spread(7, 3);
        assertEquals(new Slice(Buffer.INPUT, 0, 3), chunks.slice(Buffer.INPUT, 0));
        assertEquals(new Slice(Buffer.INPUT, 3, 2), chunks.slice(Buffer.INPUT, 1));
        assertEquals(new Slice(Buffer.INPUT, 5, 2), chunks.slice(Buffer.INPUT, 2));
    }

    @Test
    void shouldLeaveTheLastChunksEmptyWhereElementsRunOut() {
        Blocks chunks = Blocks.spread(2, 4);
        assertEquals(new Slice(Buffer.OUTPUT, 1, 1), chunks.slice(Buffer.OUTPUT, 1));
        assertEquals(new Slice(Buffer.OUTPUT, 2, 0), chunks.slice(Buffer.OUTPUT, 2));
        assertEquals(new Slice(Buffer.OUTPUT, 2, 0), chunks.slice(Buffer.OUTPUT, 3));
    }

    @Test
    void shouldTileEveryTensorWithoutGapOrOverlap() {
        long[] counts = {0, 1, 2, 5, 32, 33, 34, 1000, (1L << 31) + 8, 6_000_000_001L, Long.MAX_VALUE};
        int layouts = 0;
        for (long count : counts) {
            for (int size = 1; size <= 33; size++) {
                Blocks chunks = Blocks.spread(count, size);
                long end = 0;
                for (int chunk = 0; chunk < size; chunk++) {
                    assertEquals(end, chunks.offset(chunk));
                    assertTrue(chunks.length(chunk) >= 0 && chunks.length(chunk) <= chunks.length(0));
                    assertTrue(chunks.length(0) - chunks.length(chunk) <= 1);
                    end += chunks.length(chunk);
                }
                assertEquals(count, end);
                layouts++;
            }
        }
        assertEquals(counts.length * 33, layouts);
    }

    /** Case C31: 1.5e9 int64, 12,000,000,000 bytes, on 4 ranks; nothing is allocated. */
    @Test
    void c31ShouldCountElementsAndBytesIn64Bits() {
        Blocks chunks = Blocks.spread(1_500_000_000L, 4);
        for (int chunk = 0; chunk < 4; chunk++) {
            assertEquals(chunk * 375_000_000L, chunks.offset(chunk));
            assertEquals(375_000_000L, chunks.length(chunk));
        }
        assertEquals(9_000_000_000L, chunks.offset(3) * Long.BYTES);
    }

    @Test
    void shouldLayBlocksOfAnyLengthsOneAfterTheOther() {
        Blocks blocks = Blocks.of(0, 5, 0, 0, 2, 0);
        assertEquals(7, blocks.count());
        assertEquals(6, blocks.size());
        assertEquals(5, blocks.longest());
        assertEquals(new Slice(Buffer.INPUT, 5, 0), blocks.slice(Buffer.INPUT, 3));
        assertEquals(new Slice(Buffer.INPUT, 5, 2), blocks.slice(Buffer.INPUT, 4));
        assertEquals(new Slice(Buffer.INPUT, 0, 7), blocks.slice(Buffer.INPUT, 1, 6));
        assertEquals("7 in [0, 5, 0, 0, 2, 0]", blocks.toString());
    }

    @Test
    void shouldBeEqualWhereTheyCutAlike() {
        assertEquals(Blocks.spread(7, 3), Blocks.of(3, 2, 2));
        assertEquals(Blocks.spread(7, 3).hashCode(), Blocks.of(3, 2, 2).hashCode());
        assertEquals(Blocks.each(4, 3), Blocks.of(4, 4, 4));
        assertEquals(Blocks.of(2, 3, 2), Blocks.of(2, 3, 2));
        assertNotEquals(Blocks.of(2, 3, 2), Blocks.of(3, 2, 2));
        assertNotEquals(Blocks.spread(7, 3), Blocks.spread(7, 4));
        assertTrue(Blocks.each(4, 3).areEqual());
        assertFalse(Blocks.spread(7, 3).areEqual());
        assertFalse(Blocks.of(0, 6, 0).areEqual());
    }

    @Test
    void shouldRefuseWhatIsNoLayout() {
        assertThrows(IllegalArgumentException.class, () -> Blocks.spread(-1, 4));
        assertThrows(IllegalArgumentException.class, () -> Blocks.spread(4, 0));
        assertThrows(IllegalArgumentException.class, Blocks::of);
        assertThrows(IllegalArgumentException.class, () -> Blocks.of(1, -1));
        assertThrows(ArithmeticException.class, () -> Blocks.of(Long.MAX_VALUE, 1));
        assertThrows(ArithmeticException.class, () -> Blocks.each(Long.MAX_VALUE, 2));
    }
}
