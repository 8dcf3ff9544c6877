package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Validation.Sent;

/** The costs that the algorithms' Javadoc states, written down independently of the schedules. */
record Formulas(String algorithm, int size, long count, int root) {

    /** Rounds of whole messages. */
    int rounds() {
        int floor = 31 - Integer.numberOfLeadingZeros(size);
        int ceiling = powerOfTwo() ? floor : floor + 1;
        return switch (algorithm) {
            case "ring" -> 2 * (size - 1);
            case "recursive_doubling" -> powerOfTwo() ? floor : floor + 2;
            case "binomial", "dissemination" -> ceiling;
            case "chain" -> size - 1;
            default -> throw new AssertionError("no formula for " + algorithm);
        };
    }

    /** What a rank sends. */
    Sent sent(int rank) {
        int virtual = Math.floorMod(rank - root, size);
        return switch (algorithm) {
            case "ring" -> ring(rank);
            case "recursive_doubling" -> whole(recursiveDoublingMessages(rank));
            case "binomial" -> whole(children(virtual));
            case "chain" -> whole(virtual == size - 1 ? 0 : 1);
            case "dissemination" -> new Sent(rounds(), 0);
            default -> throw new AssertionError("no formula for " + algorithm);
        };
    }

    private boolean powerOfTwo() {
        return Integer.bitCount(size) == 1;
    }

    private Sent whole(long messages) {
        return new Sent(messages, messages * count);
    }

    private Sent ring(int rank) {
        if (size == 1) {
            return new Sent(0, 0);
        }
        Blocks chunks = Blocks.spread(count, size);
        long once = chunks.length((rank + 1) % size) + chunks.length((rank + 2) % size);
        return new Sent(2L * (size - 1), 2 * count - once);
    }

    private long recursiveDoublingMessages(int rank) {
        int log = 31 - Integer.numberOfLeadingZeros(size);
        int paired = 2 * (size - Integer.highestOneBit(size));
        if (rank >= paired) {
            return log;
        }
        return rank % 2 == 0 ? 1 : log + 1;
    }

    private long children(int virtual) {
        long children = 0;
        for (int bit = 1; bit < size && (virtual & bit) == 0; bit <<= 1) {
            children += virtual + bit < size ? 1 : 0;
        }
        return children;
    }
}
