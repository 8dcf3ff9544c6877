package io.parex.schedule;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The symbolic values of memory cells, each expression made once, so that equal numbers mean equal trees: leaves (an
 * element of a rank's input), sums of two expressions, and finished values (what a reduction writes to its output).
 */
final class Expressions {
    /** The value of a cell that nobody has written. */
    static final int UNDEFINED = 0;

    private final int elements;
    private final int leaves;
    private final Map<Long, Integer> made = new HashMap<>();
    private int[] lefts = new int[64];
    private int[] rights = new int[64];
    private int[] places = new int[64];
    private int inner;

    /** Expressions over the inputs of {@code ranks} ranks of {@code elements} elements. */
    Expressions(int ranks, int elements) {
        this.elements = elements;
        this.leaves = ranks * elements;
    }

    /** The element of a rank's input. */
    int leaf(int rank, int element) {
        return 1 + rank * elements + element;
    }

    /** {@code left (+) right}, in this order. */
    int sum(int left, int right) {
        return make(left, right);
    }

    /** A partial result as the output gets it: divided for an average, narrowed. */
    int finished(int partial) {
        return make(partial, UNDEFINED);
    }

    boolean isLeaf(int value) {
        return value <= leaves;
    }

    boolean isFinished(int value) {
        return !isLeaf(value) && rights[value - leaves - 1] == UNDEFINED;
    }

    /** The partial result of a finished value. */
    int partialOf(int finished) {
        return lefts[finished - leaves - 1];
    }

    /** Which element of the tensor an expression is about. */
    int element(int value) {
        return isLeaf(value) ? (value - 1) % elements : places[value - leaves - 1];
    }

    /** Counts, per rank, how often its input is in the expression. */
    void count(int value, int[] contributions) {
        if (isLeaf(value)) {
            contributions[(value - 1) / elements]++;
        } else {
            int index = value - leaves - 1;
            count(lefts[index], contributions);
            if (rights[index] != UNDEFINED) {
                count(rights[index], contributions);
            }
        }
    }

    /** Whether a finished value is an operand somewhere below, where only partial results may be. */
    boolean finishedWithin(int value) {
        if (isLeaf(value)) {
            return false;
        }
        int index = value - leaves - 1;
        return rights[index] == UNDEFINED || finishedWithin(lefts[index]) || finishedWithin(rights[index]);
    }

    /** Whether an expression is {@code ((0 + 1) + 2) + ...} over the first {@code ranks} ranks. */
    boolean isLeftFold(int value, int ranks) {
        int rest = value;
        for (int rank = ranks - 1; rank > 0; rank--) {
            if (isLeaf(rest)) {
                return false;
            }
            int index = rest - leaves - 1;
            if (rights[index] != leaf(rank, element(value))) {
                return false;
            }
            rest = lefts[index];
        }
        return rest == leaf(0, element(value));
    }

    /** Such as {@code [(0+1)+2]@3}: ranks 0, 1, 2, element 3, finished. */
    String render(int value) {
        return value == UNDEFINED ? "undefined" : tree(value) + "@" + element(value);
    }

    private String tree(int value) {
        if (isLeaf(value)) {
            return Integer.toString((value - 1) / elements);
        }
        int index = value - leaves - 1;
        return isFinished(value)
                ? "[" + tree(lefts[index]) + "]"
                : "(" + tree(lefts[index]) + "+" + tree(rights[index]) + ")";
    }

    private int make(int left, int right) {
        return made.computeIfAbsent((long) left << 32 | right, key -> {
            if (inner == lefts.length) {
                lefts = Arrays.copyOf(lefts, inner * 2);
                rights = Arrays.copyOf(rights, inner * 2);
                places = Arrays.copyOf(places, inner * 2);
            }
            lefts[inner] = left;
            rights[inner] = right;
            places[inner] = element(left);
            return leaves + 1 + inner++;
        });
    }
}
