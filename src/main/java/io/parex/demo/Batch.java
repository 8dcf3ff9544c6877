package io.parex.demo;

/**
 * The digits {@code order[from]} to {@code order[to - 1]}: what one step, or one worker's part of it, computes on.
 *
 * @param digits where the digits are
 * @param order numbers of digits; shared, not copied
 * @param from first position in {@code order}
 * @param to position after the last one
 */
record Batch(Digits digits, int[] order, int from, int to) {

    /** All digits in their own order. */
    static Batch all(Digits digits) {
        int[] order = new int[digits.count()];
        for (int i = 0; i < order.length; i++) {
            order[i] = i;
        }
        return new Batch(digits, order, 0, order.length);
    }

    int count() {
        return to - from;
    }

    /** The number of the digit at {@code position}, 0 to {@code count - 1}. */
    int sample(int position) {
        return order[from + position];
    }

    /** The part of worker {@code rank} of {@code size}: consecutive, equal for all workers up to one digit. */
    Batch share(int rank, int size) {
        return new Batch(digits, order, from + bound(rank, size), from + bound(rank + 1, size));
    }

    private int bound(int rank, int size) {
        return (int) ((long) count() * rank / size);
    }
}
