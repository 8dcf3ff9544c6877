package io.parex.algorithm;

import java.util.ArrayList;
import java.util.List;

/**
 * What an algorithm takes, as phases one after the other of equal rounds each: the closed formula of its cost, before
 * links have a price.
 *
 * @param phases in order
 * @param scratchBytes of the rank that needs most, but for pipes, of which a window is enough
 */
public record Effort(List<Phase> phases, double scratchBytes) {
    /** What waits for a step can go on as soon as so much of it is there. */
    public static final int SEGMENT_BYTES = 64 << 10;

    /**
     * Some rounds.
     *
     * @param rounds how many
     * @param messages that a rank sends and takes in a round, at once; half as many where it only sends or only takes
     * @param bytes of all of them
     * @param reduced bytes that a rank combines in a round
     * @param ranks that do so at the same time, on average
     * @param local whether all of that is between ranks of one host; then {@code ranks} are those of a host
     */
    public record Phase(double rounds, double messages, double bytes, double reduced, double ranks, boolean local) {}

    public Effort {
        phases = List.copyOf(phases);
    }

    /** Messages that a rank sends, of those phases that more than one rank is in at a time. */
    public double messages() {
        return phases.stream()
                .filter(phase -> phase.ranks() > 1)
                .mapToDouble(phase -> phase.rounds() * phase.messages())
                .sum();
    }

    /** Collects phases; those without rounds, messages or ranks are none. */
    static final class Builder {
        private final List<Phase> phases = new ArrayList<>();
        private double scratchBytes;

        /** Scratch of the rank that needs most. */
        Builder scratch(double bytes) {
            scratchBytes = bytes;
            return this;
        }

        /** Scratch of halving: half the tensor, and the whole where ranks fold away. */
        Builder scratchOfHalving(Shape shape) {
            return scratch(shape.partial() * (shape.pairs() > 0 ? 1.5 : 0.5));
        }

        /** Rounds in which {@code ranks} ranks exchange a message each, and combine nothing. */
        Builder exchange(double rounds, double bytes, double ranks) {
            return add(rounds, 1, bytes, 0, ranks);
        }

        /** Rounds in which {@code ranks} ranks exchange a message each, and combine what comes. */
        Builder combine(double rounds, double bytes, double reduced, double ranks) {
            return add(rounds, 1, bytes, reduced, ranks);
        }

        /** The way of the first segment of a message of {@code bytes} through {@code hops} ranks. */
        Builder fill(double hops, double bytes, double reduced) {
            double segment = Math.min(bytes, SEGMENT_BYTES);
            return add(hops, 1, segment, Math.min(reduced, segment), 1);
        }

        /** See {@link Phase}; not known to be within hosts. */
        Builder add(double rounds, double messages, double bytes, double reduced, double ranks) {
            return add(rounds, messages, bytes, reduced, ranks, false);
        }

        /** The same within hosts. */
        Builder addLocal(double rounds, double messages, double bytes, double reduced, double ranks) {
            return add(rounds, messages, bytes, reduced, ranks, true);
        }

        private Builder add(double rounds, double messages, double bytes, double reduced, double ranks, boolean local) {
            if (rounds > 0 && messages > 0 && ranks > 0) {
                phases.add(new Phase(rounds, messages, bytes, reduced, ranks, local));
            }
            return this;
        }

        /** Halving: each round half of what was exchanged in the last, combined. */
        Builder halve(Shape shape) {
            for (int round = 1; round <= shape.coreRounds(); round++) {
                boolean values = round == 1 && shape.pairs() == 0;
                double parts = 1L << round;
                double partial = shape.partial() / parts;
                combine(1, values ? shape.bytes() / parts : partial, partial, shape.core());
            }
            return this;
        }

        /** Doubling: the same backwards, with results. */
        Builder doubleUp(Shape shape) {
            for (int round = shape.coreRounds(); round >= 1; round--) {
                exchange(1, shape.bytes() / (1L << round), shape.core());
            }
            return this;
        }

        /** Blocks of ever larger subtrees of a binomial tree, towards the root or back. */
        Builder subtrees(Shape shape) {
            for (int held = 1; held < shape.ranks(); held *= 2) {
                double blocks = Math.min(held, shape.ranks() - held);
                exchange(1, blocks * shape.share(), shape.ranks() / (2.0 * held));
            }
            return joinLast(shape);
        }

        /**
         * Has the last two rounds be one where ranks are no power of two: then none needs what it gets in all rounds.
         */
        Builder joinLast(Shape shape) {
            if (shape.pairs() > 0) {
                Phase last = phases.removeLast();
                Phase before = phases.removeLast();
                double ranks = (before.ranks() + last.ranks()) / 2;
                add(1, before.messages() + last.messages(), before.bytes() + last.bytes(), 0, ranks);
            }
            return this;
        }

        /** What some ranks hand to their neighbours before the rounds of a power of two: tensors to combine. */
        Builder foldSums(Shape shape) {
            return combine(1, shape.bytes(), shape.partial(), shape.pairs());
        }

        Effort build() {
            return new Effort(phases, scratchBytes);
        }
    }
}
