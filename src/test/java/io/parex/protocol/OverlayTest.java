package io.parex.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OverlayTest {

    @Test
    void shouldJoinMembersAtPowersOfTwo() {
        assertArrayEquals(new int[] {}, Overlay.neighbours(0, 1));
        assertArrayEquals(new int[] {1}, Overlay.neighbours(0, 2));
        assertArrayEquals(new int[] {0, 1}, sorted(2, 3));
        assertArrayEquals(new int[] {1, 2, 4, 6, 7}, sorted(0, 8));
        assertArrayEquals(new int[] {1, 3, 4, 6, 7, 9}, sorted(5, 12));
    }

    private static int[] sorted(int rank, int size) {
        return Arrays.stream(Overlay.neighbours(rank, size)).sorted().toArray();
    }

    @Test
    void shouldReachEverybodyInLogarithmicallyManyHops() {
        for (int size = 1; size <= 130; size++) {
            int hops = 32 - Integer.numberOfLeadingZeros(size - 1);
            for (int origin : new int[] {0, size / 2, size - 1}) {
                BitSet heard = new BitSet(size);
                heard.set(origin);
                for (int hop = 0; hop < hops; hop++) {
                    heard.or(passedOn(heard, size));
                }
                assertEquals(size, heard.cardinality(), "of " + size + " members, from " + origin);
            }
        }
    }

    private static BitSet passedOn(BitSet heard, int size) {
        BitSet next = new BitSet(size);
        heard.stream()
                .flatMap(rank -> Arrays.stream(Overlay.neighbours(rank, size)))
                .forEach(next::set);
        return next;
    }

    @Test
    void shouldBeMutualAndSparse() {
        for (int size = 1; size <= 130; size++) {
            int most = 2 * (32 - Integer.numberOfLeadingZeros(size - 1));
            for (int rank = 0; rank < size; rank++) {
                int self = rank;
                int members = size;
                int[] neighbours = Overlay.neighbours(rank, size);
                assertTrue(neighbours.length <= most, size + " members");
                assertEquals(
                        neighbours.length, Arrays.stream(neighbours).distinct().count());
                assertTrue(Arrays.stream(neighbours)
                        .allMatch(peer -> peer != self
                                && IntStream.of(Overlay.neighbours(peer, members))
                                        .anyMatch(back -> back == self)));
            }
        }
    }
}
