package io.parex.world;

import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.tensor.Reductions;

/**
 * Refuses collectives whose tensors, lengths and reduction do not fit together, with a {@link ParexException} that says
 * what is wrong; the root is known to be a rank. Any thread.
 */
final class CollectiveCheck {
    private final int rank;
    private final int size;

    CollectiveCheck(int rank, int size) {
        this.rank = rank;
        this.size = size;
    }

    /** What the call is to solve; null if that is known only when the ranks have told each other lengths. */
    Problem verify(Call call) {
        verifyGiven(call);
        verifyType(call);
        if (call.primitive().reducing()) {
            verifyReduction(call);
        }
        if (!call.open()) {
            return problem(call);
        }
        verifyOpen(call);
        return null;
    }

    /** What a call with lengths that are known is to solve. */
    Problem problem(Call call) {
        verifyLengths(call);
        Problem problem = call.problem(rank, size);
        verifyCount(call, "input", call.input(), problem.inputLength());
        verifyCount(call, "output", call.output(), problem.outputLength());
        if (!problem.inPlace()
                && call.input() != null
                && call.output() != null
                && call.input().overlaps(call.output())) {
            throw ParexException.argument("input and output overlap, and not as they do in place");
        }
        return problem;
    }

    /** Whether the tensors are there that have to be, whatever their lengths, and no others. */
    private void verifyGiven(Call call) {
        boolean isRoot = call.root() == rank;
        boolean gives = call.primitive() != Primitive.BARRIER;
        boolean takes = gives;
        switch (call.primitive().base()) {
            case BROADCAST -> {
                gives = isRoot;
                takes = !isRoot;
            }
            case SCATTER -> gives = isRoot;
            case GATHER, REDUCE -> takes = isRoot;
            default -> {}
        }
        verifyGiven(call, "input", call.input(), gives);
        verifyGiven(call, "output", call.output(), takes);
    }

    private void verifyGiven(Call call, String what, TensorStream tensor, boolean due) {
        if ((tensor != null) == due) {
            return;
        }
        String who =
                !call.primitive().rooted() ? "" : call.root() == rank ? " at the root" : " at a rank that is not root";
        throw ParexException.argument(
                due ? "the " + what + " is missing (null)" + who : "there is no " + what + who + ", and one is given");
    }

    private static void verifyType(Call call) {
        TensorStream input = call.input();
        TensorStream output = call.output();
        if (input == null || output == null) {
            return;
        }
        if (input.type() != output.type()) {
            throw ParexException.argument("input has " + input.count() + " "
                    + input.type().label() + ", output " + output.count() + " "
                    + output.type().label());
        }
        if (!input.isWhole() || !output.isWhole()) {
            throw ParexException.argument("it needs memory for the whole tensor of " + call.bytes() + " bytes");
        }
    }

    private void verifyReduction(Call call) {
        if (call.op() == null) {
            throw ParexException.argument("the reduction is missing (null)");
        }
        reduction(call);
    }

    /** The reduction of a call, for this group. */
    Reducing reduction(Call call) {
        var type = call.input().type();
        return new Reducing(
                type,
                call.factor() == null
                        ? Reductions.of(type, call.op(), size)
                        : Reductions.of(type, call.op(), size, call.factor()));
    }

    /** Whether a v-form says what its ranks have to know. */
    private void verifyLengths(Call call) {
        boolean knowsOwn = call.primitive().rooted() && call.root() != rank;
        boolean pairs = call.primitive() == Primitive.ALL_TO_ALL_V;
        if (call.primitive().isV() && (call.blocks() == null && !knowsOwn || call.incoming() == null && pairs)) {
            throw ParexException.argument("the lengths are missing (null)");
        }
    }

    private void verifyOpen(Call call) {
        boolean tells = call.primitive() == Primitive.ALL_TO_ALL_V
                || call.primitive() == Primitive.SCATTER_V && call.root() == rank;
        if (call.primitive() == Primitive.REDUCE_SCATTER_V) {
            throw ParexException.argument("every rank has to know all lengths: they cannot be left open");
        }
        if (!tells && call.blocks() != null) {
            throw ParexException.argument("lengths are given, and left open as well");
        }
        if (tells && call.blocks() == null) {
            throw ParexException.argument("the lengths of the input are missing (null)");
        }
        if (tells && call.blocks().size() != size) {
            throw ParexException.argument(
                    "lengths are given for " + call.blocks().size() + " ranks, and the group has " + size);
        }
        if (tells) {
            verifyCount(call, "input", call.input(), call.blocks().count());
        }
    }

    private static void verifyCount(Call call, String what, TensorStream tensor, long count) {
        if (tensor == null || tensor.count() == count) {
            return;
        }
        String lengths = call.blocks() == null ? "" : " (lengths " + Plan.words(call.blocks()) + ")";
        throw ParexException.argument("its " + what + " has " + tensor.count() + " elements of "
                + tensor.type().label() + ", and " + count + " are due" + lengths);
    }
}
