package io.parex.bench.verify;

import java.util.Locale;

/** Ways to make a call. */
enum Form {
    /** With nothing said but what must be. */
    PLAIN,
    /** With each element reduced in the order of the ranks. */
    DETERMINISTIC,
    /** With a list of tensors, whose lengths are those of the shape. */
    COALESCED,
    /** With lengths that receivers do not know. */
    OPEN,
    /** Of a reduction that is not computed, which is to be refused before anything is sent. */
    REFUSED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
