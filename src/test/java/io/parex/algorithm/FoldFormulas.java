package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Problem;
import io.parex.schedule.Validation.Sent;

/** What ranks send in algorithms for powers of two, where the first ranks pair up if there are too many. */
final class FoldFormulas {
    private final Problem problem;
    private final long count;
    private final int size;
    private final int rank;
    private final int log;
    private final int core;
    private final boolean paired;
    private final boolean away;
    private final int virtual;
    private final Blocks pieces;

    FoldFormulas(Problem problem, int kept) {
        this.problem = problem;
        this.count = problem.count();
        this.size = problem.size();
        this.rank = problem.rank();
        this.log = 31 - Integer.numberOfLeadingZeros(size);
        this.core = 1 << log;
        int extra = size - core;
        this.paired = rank < 2 * extra;
        boolean even = rank % 2 == 0;
        boolean swapped = kept >= 0 && kept % 2 == 0 && kept / 2 == rank / 2;
        this.away = paired && even != swapped;
        this.virtual = paired ? rank / 2 : rank - extra;
        this.pieces = pieces(extra);
    }

    private Blocks pieces(int extra) {
        if (!problem.primitive().isBlocked()) {
            return Blocks.spread(count, core);
        }
        long[] lengths = new long[core];
        for (int each = 0; each < size; each++) {
            lengths[each < 2 * extra ? each / 2 : each - extra] +=
                    problem.blocks().length(each);
        }
        return Blocks.of(lengths);
    }

    /** Recursive doubling of whole tensors. */
    Sent exchanges() {
        int messages = away ? 1 : paired ? log + 1 : log;
        return new Sent(messages, messages * count);
    }

    /** Halving: all but the own piece. */
    private Sent halved() {
        return new Sent(log, count - pieces.length(virtual));
    }

    /** Doubling: one piece, two, four, ... */
    private Sent doubled() {
        long elements = 0;
        for (int pieceCount = 1; pieceCount < core; pieceCount *= 2) {
            elements += held(pieceCount);
        }
        return new Sent(log, elements);
    }

    /** Elements of the aligned group of that many pieces in which the own one is. */
    private long held(int pieceCount) {
        int first = virtual / pieceCount * pieceCount;
        return pieces.offset(first + pieceCount) - pieces.offset(first);
    }

    Sent rabenseifner() {
        if (away) {
            return new Sent(1, count);
        }
        Sent core = Formulas.plus(halved(), doubled());
        return paired ? Formulas.plus(core, new Sent(1, count)) : core;
    }

    Sent reduceScatter() {
        if (away) {
            return new Sent(1, count);
        }
        return paired ? Formulas.plus(halved(), new Sent(1, problem.blocks().length(rank - 1))) : halved();
    }

    Sent allGather() {
        if (away) {
            return new Sent(1, problem.blocks().length(rank));
        }
        if (!paired) {
            return doubled();
        }
        Sent rest = new Sent(rank == 1 ? 1 : 2, count - problem.blocks().length(rank - 1));
        return Formulas.plus(doubled(), rest);
    }

    Sent reduce() {
        if (away) {
            return new Sent(1, count);
        }
        if (problem.isRoot()) {
            return halved();
        }
        int root = new FoldFormulas(
                        Problem.of(problem.primitive(), problem.root(), size, problem.blocks(), problem.root(), false),
                        problem.root())
                .virtual;
        return Formulas.plus(halved(), new Sent(1, held(Integer.lowestOneBit(root ^ virtual))));
    }
}
