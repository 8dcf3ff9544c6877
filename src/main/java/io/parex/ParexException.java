package io.parex;

import java.util.Objects;

/**
 * The one exception of Parex. Its message says what happened, on which rank, in which call, and what is now true (may
 * the call be repeated, is the group usable).
 */
public final class ParexException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorKind kind;
    private final boolean refused;

    public ParexException(ErrorKind kind, String message) {
        this(kind, message, null);
    }

    public ParexException(ErrorKind kind, String message, Throwable cause) {
        this(kind, message, cause, false);
    }

    private ParexException(ErrorKind kind, String message, Throwable cause, boolean refused) {
        super(Objects.requireNonNull(message), cause);
        this.kind = Objects.requireNonNull(kind);
        this.refused = refused;
    }

    /** A failure of a call that was refused before anything of it was started. */
    public static ParexException refused(ErrorKind kind, String message) {
        return new ParexException(kind, message, null, true);
    }

    /** The same failure, of a call that was refused before anything of it was started. */
    public ParexException asRefused() {
        return refused ? this : new ParexException(kind, getMessage(), this, true);
    }

    /**
     * Whether it is known that nothing of the call was started: it has no place in the order of calls, nothing of it
     * can have happened, and it may be made again. False says nothing.
     */
    public boolean wasRefused() {
        return refused;
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
