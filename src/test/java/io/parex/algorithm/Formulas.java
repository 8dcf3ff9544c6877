package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Problem;
import io.parex.schedule.Validation.Sent;
import java.util.Optional;
import java.util.OptionalInt;

/** The costs that the algorithms' Javadoc states, written down independently of the schedules. */
final class Formulas {
    private final String algorithm;
    private final Problem problem;
    private final int size;
    private final int rank;
    private final long count;
    private final int virtual;

    /** The costs of one rank. */
    Formulas(Algorithm algorithm, Problem problem) {
        this.algorithm = algorithm.primitive().label() + " " + algorithm.name();
        this.problem = problem;
        this.size = problem.size();
        this.rank = problem.rank();
        this.count = problem.count();
        this.virtual = Math.floorMod(rank - problem.root(), size);
    }

    /** Rounds of whole messages, where that is worth a formula. */
    OptionalInt rounds() {
        int floor = 31 - Integer.numberOfLeadingZeros(size);
        int ceiling = Integer.bitCount(size) == 1 ? floor : floor + 1;
        int folding = 2 * (ceiling - floor);
        return switch (algorithm) {
            case "all_reduce ring", "all_reduce hierarchical" -> OptionalInt.of(2 * (size - 1));
            case "all_reduce recursive_doubling", "reduce_scatter recursive_halving" -> OptionalInt.of(floor + folding);
            case "all_reduce rabenseifner" -> OptionalInt.of(2 * floor + folding);
            case "broadcast binomial", "barrier dissemination", "all_to_all bruck", "reduce binomial" ->
                OptionalInt.of(ceiling);
            case "broadcast chain",
                    "broadcast hierarchical",
                    "reduce chain",
                    "reduce direct",
                    "scatter linear",
                    "gather linear" -> OptionalInt.of(size - 1);
            case "all_gather ring", "reduce_scatter ring" -> OptionalInt.of(size - 1);
            default -> OptionalInt.empty();
        };
    }

    /** What the rank sends, where that is told by a formula. */
    Optional<Sent> sent() {
        boolean played = algorithm.equals("broadcast circulant") && virtual > 0;
        return played ? Optional.empty() : Optional.of(formula());
    }

    private Sent formula() {
        return switch (problem.primitive().base()) {
            case BROADCAST, BARRIER, REDUCE -> sentByRoot();
            case ALL_REDUCE -> sentForAll();
            default -> new BlockFormulas(algorithm, problem).sent();
        };
    }

    private Sent sentByRoot() {
        return switch (algorithm) {
            case "barrier dissemination" -> new Sent(rounds().orElseThrow(), 0);
            case "broadcast binomial" -> whole(children());
            case "broadcast chain", "broadcast hierarchical" -> whole(virtual == size - 1 ? 0 : 1);
            case "broadcast circulant" -> circulantRoot();
            case "broadcast double_tree" -> doubleTree(false);
            case "broadcast scatter_all_gather" -> plus(scattered(), passedOn());
            case "reduce binomial", "reduce chain", "reduce direct" -> whole(virtual == 0 ? 0 : 1);
            case "reduce reduce_scatter_gather" -> new FoldFormulas(problem, problem.root()).reduce();
            default -> throw new AssertionError("no formula for " + algorithm);
        };
    }

    private Sent sentForAll() {
        Blocks chunks = Blocks.spread(count, size);
        return switch (algorithm) {
            case "all_reduce ring", "all_reduce hierarchical" -> {
                long once = chunks.length((rank + 1) % size) + chunks.length((rank + 2) % size);
                yield size == 1 ? new Sent(0, 0) : new Sent(2L * (size - 1), 2 * count - once);
            }
            case "all_reduce direct" -> whole(size - 1);
            case "all_reduce direct_blocks" -> new Sent(2L * (size - 1), count + (size - 2) * chunks.length(rank));
            case "all_reduce tree" -> whole(above(rank) + below(rank));
            case "all_reduce double_tree" -> doubleTree(true);
            case "all_reduce recursive_doubling" -> new FoldFormulas(problem, -1).exchanges();
            case "all_reduce rabenseifner" -> new FoldFormulas(problem, -1).rabenseifner();
            default -> throw new AssertionError("no formula for " + algorithm);
        };
    }

    private Sent whole(long messages) {
        return new Sent(messages, messages * count);
    }

    static Sent plus(Sent one, Sent other) {
        return new Sent(one.messages() + other.messages(), one.elements() + other.elements());
    }

    private long children() {
        long children = 0;
        for (int bit = 1; bit < size && (virtual & bit) == 0; bit <<= 1) {
            children += virtual + bit < size ? 1 : 0;
        }
        return children;
    }

    /** Everything below a rank of a binomial tree but its own, in one message a child. */
    private Sent scattered() {
        Blocks chunks = Blocks.spread(count, size);
        return new Sent(children(), chunks.offset(held(virtual)) - chunks.offset(virtual + 1));
    }

    /** The chunks that the right neighbour has not got. */
    private Sent passedOn() {
        if (virtual == size - 1) {
            return new Sent(0, 0);
        }
        Blocks chunks = Blocks.spread(count, size);
        int next = virtual + 1;
        long known = chunks.offset(held(next)) - chunks.offset(next);
        return new Sent(size - (held(next) - next), count - known);
    }

    /** The end of the chunks that a rank has after the scatter. */
    private int held(int each) {
        return each == 0 ? size : Math.min(size, each + Integer.lowestOneBit(each));
    }

    /** The root sends block after block, one a round, and the last one until all have got it. */
    private Sent circulantRoot() {
        int phase = 32 - Integer.numberOfLeadingZeros(size - 1);
        int blocks = (int) Math.max(1, Math.min(count, 8L * phase));
        boolean isLong = size > 1 && count >= 100L * phase;
        long last =
                isLong ? count / (100L * phase) : Blocks.spread(count, blocks).length(blocks - 1);
        return size == 1 ? new Sent(0, 0) : new Sent(blocks - 1 + phase, count + (phase - 1) * last);
    }

    /** Half the tensor in a tree by rank, half in one where the ranks but the root are mirrored or shifted. */
    private Sent doubleTree(boolean bothWays) {
        int mirrored = virtual == 0 ? 0 : size - virtual;
        int shifted = virtual == 0 ? 0 : virtual == 1 ? size - 1 : virtual - 1;
        int second = size % 2 == 0 ? shifted : mirrored;
        long inFirst = below(virtual) + (bothWays ? above(virtual) : 0);
        long inSecond = below(second) + (bothWays ? above(second) : 0);
        return new Sent(inFirst + inSecond, inFirst * ((count + 1) / 2) + inSecond * (count / 2));
    }

    private int above(int place) {
        return place == 0 ? 0 : 1;
    }

    /** Children at a place of the in-order binary tree, which has leaves at the odd ones. */
    private int below(int place) {
        if (place == 0) {
            return size > 1 ? 1 : 0;
        }
        return place % 2 == 1 ? 0 : place + 1 < size ? 2 : 1;
    }
}
