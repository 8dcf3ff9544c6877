package io.parex.client;

import io.parex.ParexException;

/** Refuses tensors of one call that do not fit together. */
final class Fit {
    private Fit() {}

    static void requireType(Memory input, Memory output) {
        if (input.type() != output.type()) {
            throw ParexException.argument("input is " + input.type().label() + ", output "
                    + output.type().label());
        }
    }

    /** Two tensors of one shape, in the same memory or apart. */
    static void requireAlike(Memory input, Memory output) {
        requireType(input, output);
        if (input.count() != output.count()) {
            throw ParexException.argument(
                    "input has " + input.count() + " elements, output " + output.count() + ", and both are one shape");
        }
        if (!input.isSame(output) && input.overlaps(output)) {
            throw ParexException.argument("input and output overlap without being the same memory");
        }
    }

    /** Two tensors of one type that have no memory in common. */
    static void requireApart(Memory input, Memory output) {
        requireType(input, output);
        if (input.overlaps(output)) {
            throw ParexException.argument("input and output overlap, and not as they do in place");
        }
    }

    /** A tensor of blocks of the given lengths. */
    static void requireSum(Memory tensor, long[] lengths, String what) {
        long sum = 0;
        for (long length : lengths) {
            if (length < 0 || (sum += length) < 0) {
                throw ParexException.argument("a length of " + length + " elements, or more of them than there can be");
            }
        }
        if (sum != tensor.count()) {
            throw ParexException.argument(
                    "the " + what + " has " + tensor.count() + " elements, the lengths make " + sum);
        }
    }
}
