package io.parex.protocol;

import java.util.stream.IntStream;

/**
 * Who tells whom of a failure: each member passes a notice on to the members at distance 2^k on either side, so that it
 * reaches everybody in at most log2(size) hops over at most 2 log2(size) links a member, whoever else is dead.
 */
public final class Overlay {
    private Overlay() {}

    /** Group ranks to which {@code rank} passes notices on, without itself, each once. */
    public static int[] neighbours(int rank, int size) {
        return IntStream.iterate(1, distance -> distance < size, distance -> distance * 2)
                .flatMap(distance -> IntStream.of((rank + distance) % size, Math.floorMod(rank - distance, size)))
                .filter(peer -> peer != rank)
                .distinct()
                .toArray();
    }
}
