package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Problem;
import io.parex.schedule.Validation.Sent;

/** What ranks send where each has a block. */
final class BlockFormulas {
    private final String algorithm;
    private final Problem problem;
    private final Blocks blocks;
    private final int size;
    private final int rank;
    private final int virtual;

    BlockFormulas(String algorithm, Problem problem) {
        this.algorithm = algorithm;
        this.problem = problem;
        this.blocks = problem.blocks();
        this.size = problem.size();
        this.rank = problem.rank();
        this.virtual = Math.floorMod(rank - problem.root(), size);
    }

    Sent sent() {
        return switch (algorithm) {
            case "scatter linear" -> virtual == 0 ? allButOne(rank) : new Sent(0, 0);
            case "scatter binomial" -> down();
            case "gather linear" -> virtual == 0 ? new Sent(0, 0) : new Sent(1, blocks.length(rank));
            case "gather binomial" -> up();
            case "all_gather ring" -> allButOne((rank + 1) % size);
            case "all_gather bruck" -> bruckAllGather();
            case "all_gather recursive_doubling" -> new FoldFormulas(problem, -1).allGather();
            case "reduce_scatter ring", "reduce_scatter direct" -> allButOne(rank);
            case "reduce_scatter recursive_halving" -> new FoldFormulas(problem, -1).reduceScatter();
            case "all_to_all pairwise", "all_to_all direct" -> allButOne(rank);
            case "all_to_all bruck" -> hops();
            default -> throw new AssertionError("no formula for " + algorithm);
        };
    }

    private Sent allButOne(int block) {
        return new Sent(size - 1, blocks.count() - blocks.length(block));
    }

    private Sent down() {
        Sent sent = new Sent(0, 0);
        for (int bit = 1; bit < size && (virtual & bit) == 0; bit <<= 1) {
            if (virtual + bit < size) {
                sent = Formulas.plus(sent, subtree(virtual + bit));
            }
        }
        return sent;
    }

    private Sent up() {
        return virtual == 0 ? new Sent(0, 0) : subtree(virtual);
    }

    /** Between a rank and its parent; two messages if that is the root and blocks lie on both sides of the end. */
    private Sent subtree(int child) {
        int ranks = Math.min(Integer.lowestOneBit(child), size - child);
        boolean ofRoot = Integer.bitCount(child) == 1;
        boolean split = ofRoot && (child + problem.root()) % size + ranks > size;
        return new Sent(split ? 2 : 1, ranks * blocks.length(0));
    }

    private Sent bruckAllGather() {
        long messages = 0;
        long elements = 0;
        for (int held = 1; held < size; held *= 2) {
            int sent = Math.min(held, size - held);
            messages += rank + sent > size ? 2 : 1;
            for (int distance = 0; distance < sent; distance++) {
                elements += blocks.length((rank + distance) % size);
            }
        }
        return new Sent(messages, elements);
    }

    private Sent hops() {
        long hops = 0;
        for (int distance = 1; distance < size; distance++) {
            hops += Integer.bitCount(distance);
        }
        return new Sent(size == 1 ? 0 : 32 - Integer.numberOfLeadingZeros(size - 1), hops * blocks.length(0));
    }
}
