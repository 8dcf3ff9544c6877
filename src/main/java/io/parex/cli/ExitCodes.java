package io.parex.cli;

import io.parex.ErrorKind;

/** What the exit status of {@code parex} means; scripts decide by it. */
public final class ExitCodes {
    /** Everything asked for was done and held. */
    public static final int GOOD = 0;

    /** A check failed, or the command ended with an error that has no status of its own. */
    public static final int CHECK_FAILED = 1;

    /** The command line is wrong; nothing was started. */
    public static final int USAGE = 2;

    /** At least one rank waits for another that does not come. */
    public static final int STALLED = 3;

    /** The world could not be started or reached. */
    public static final int UNREACHABLE = 4;

    private ExitCodes() {}

    /** The status for an error that ended a command. */
    static int of(ErrorKind kind) {
        return switch (kind) {
            case ARGUMENT, UNSUPPORTED -> USAGE;
            case UNAVAILABLE -> UNREACHABLE;
            default -> CHECK_FAILED;
        };
    }
}
