package io.parex;

import java.util.Objects;

/**
 * The one exception of Parex. Its message says what happened, on which rank, in which call, and what is now true (may
 * the call be repeated, is the group usable).
 */
public final class ParexException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;

    public ParexException(ErrorKind kind, String message) {
        this(kind, message, null);
    }

    public ParexException(ErrorKind kind, String message, Throwable cause) {
        super(Objects.requireNonNull(message), cause);
        this.kind = Objects.requireNonNull(kind);
    }

    /** What callers decide by. */
    public ErrorKind kind() {
        return kind;
    }

    /** Shorthand for a refused argument. */
    public static ParexException argument(String message) {
        return new ParexException(ErrorKind.ARGUMENT, message);
    }
}
