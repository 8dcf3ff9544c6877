package io.parex.bench;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import java.util.ArrayList;
import java.util.List;

/**
 * Tensor sizes from {@code minBytes}, each {@code factor} times the one before, and at last {@code maxBytes}, whether a
 * step leads there or not: it is what was asked for.
 *
 * @param minBytes at least 1
 * @param maxBytes at least {@code minBytes}
 * @param factor at least 2
 */
public record Sizes(long minBytes, long maxBytes, int factor) {

    public Sizes {
        if (minBytes < 1) {
            throw ParexException.argument("the least size must be at least 1 byte, not " + minBytes);
        }
        if (maxBytes < minBytes) {
            throw ParexException.argument("the largest size, " + maxBytes + " bytes, is below the least, " + minBytes);
        }
        if (factor < 2) {
            throw ParexException.argument("sizes grow by a factor of at least 2, not " + factor);
        }
    }

    /**
     * The sizes as counts of elements, ascending. A size that is not a whole number of elements is rounded down; if
     * nothing is left of the least, that is an argument error.
     */
    public List<Long> counts(DataType type) {
        if (minBytes < type.bytes()) {
            throw ParexException.argument("the least size, " + minBytes + " bytes, does not hold one " + type.label()
                    + " of " + type.bytes() + " bytes");
        }
        List<Long> counts = new ArrayList<>();
        for (long bytes = minBytes; ; bytes *= factor) {
            counts.add(bytes / type.bytes());
            if (bytes > maxBytes / factor) {
                break;
            }
        }
        long last = maxBytes / type.bytes();
        if (last > counts.getLast()) {
            counts.add(last);
        }
        return counts;
    }
}
