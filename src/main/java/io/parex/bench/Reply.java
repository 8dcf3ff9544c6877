package io.parex.bench;

import io.parex.ErrorKind;

/** What a member answers to an {@link Order}. */
sealed interface Reply {

    /** It is done. */
    record Done() implements Reply {}

    /** A number was asked for. */
    record Number(long value) implements Reply {}

    /** A name was asked for. */
    record Name(String value) implements Reply {}

    /** A point is open. */
    record Opened(Traits traits) implements Reply {}

    /** The times of a batch; none of a rank that did not take part. */
    record Times(long[] nanos) implements Reply {}

    /** It could not be done. */
    record Failed(ErrorKind kind, String text) implements Reply {}
}
