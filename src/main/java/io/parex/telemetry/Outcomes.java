package io.parex.telemetry;

import io.parex.ErrorKind;

/** How operations end, as a label: {@code ok}, or the kind of the error. */
final class Outcomes {
    private static final ErrorKind[] KINDS = ErrorKind.values();

    /** An operation that ended well. */
    static final int OK = 0;

    /** Number of outcomes. */
    static final int COUNT = 1 + KINDS.length;

    private Outcomes() {}

    /** Index of an outcome; null is a good end. */
    static int of(ErrorKind kind) {
        return kind == null ? OK : 1 + kind.ordinal();
    }

    /** Its label, such as {@code peer_failed}. */
    static String label(int index) {
        return index == OK ? "ok" : KINDS[index - 1].label();
    }
}
