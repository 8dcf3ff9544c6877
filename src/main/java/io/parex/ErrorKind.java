package io.parex;

/** What kind of failure a {@link ParexException} reports; callers decide by it, not by the text. */
public enum ErrorKind {
    /** The caller's argument is wrong; nothing was started. */
    ARGUMENT,
    /** The ranks of a group do not agree on the call they are making. */
    MISMATCH,
    /** The call's deadline passed. */
    TIMEOUT,
    /** A rank that the call needs is lost. */
    PEER_FAILED,
    /** The call was ended from outside: abort, or the end of a client that took part. */
    ABORTED,
    /** The combination of primitive, operation and data type is not computed; nothing was started. */
    UNSUPPORTED,
    /** A peer or a client broke the protocol. */
    PROTOCOL,
    /** The rank cannot take calls now (starting or closing); nothing was started. */
    UNAVAILABLE,
    /** A limit is reached; nothing was started. */
    OVERLOADED,
    /** A rank left the group in good order before this call. */
    LEFT,
    /** The calls of several ranks wait for each other and none can end. */
    DEADLOCK,
    /** The caller cancelled the call. */
    CANCELLED;

    /** The name used in messages, metrics and traces, such as {@code peer_failed}. */
    public String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
