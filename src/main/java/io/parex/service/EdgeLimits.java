package io.parex.service;

import io.parex.ParexException;
import java.time.Duration;

/**
 * The limits of the gRPC edge.
 *
 * @param stagingBytes memory for tensors between clients and fabric, all operations of the process together
 * @param windowBytes of that, for each direction of a call that can stream; a multiple of 16, at least two chunks
 * @param chunkBytes size of the chunks that the server sends; a multiple of 16, at most {@link #MAX_CHUNK_BYTES}
 * @param operations submitted and not ended, per session
 * @param callTimeout limit of a call that names none
 * @param stall how long a client may leave results unread before it is cut
 */
record EdgeLimits(
        long stagingBytes, long windowBytes, int chunkBytes, int operations, Duration callTimeout, Duration stall) {

    /** Largest chunk taken: well below gRPC's own limit of 4 MiB a message, which ends the stream it is exceeded on. */
    static final int MAX_CHUNK_BYTES = 1 << 20;

    /** Ended operations of a session whose results are kept for those who repeat a submission. */
    static final int RESULTS_REMEMBERED = 1024;

    /**
     * Calls of one sequence held for one that has not come; a client that numbers its calls is seldom more than a few
     * ahead.
     */
    static final int CALLS_HELD = 64;

    /** Sequences of numbered plain RPCs remembered, of all hosted ranks together; the longest unused one makes room. */
    static final int SEQUENCES_REMEMBERED = 1024;

    /**
     * 1 GiB of staging, windows of 4 MiB, chunks of 256 KiB, 4096 operations, 10 min a call, 2 min for a stalled
     * reader.
     */
    static final EdgeLimits DEFAULT =
            new EdgeLimits(1L << 30, 4 << 20, 256 << 10, 4096, Duration.ofMinutes(10), Duration.ofMinutes(2));

    EdgeLimits {
        require(windowBytes % 16 == 0 && windowBytes >= 2 * MAX_CHUNK_BYTES, Setting.STAGING_WINDOW_BYTES, windowBytes);
        require(stagingBytes / 2 >= windowBytes, Setting.STAGING_MAX_BYTES, stagingBytes);
        require(operations > 0, Setting.SESSION_MAX_OPERATIONS, operations);
        require(callTimeout.isPositive(), Setting.TIMEOUT_CALL, callTimeout);
        require(stall.isPositive(), Setting.TIMEOUT_STALLED_READER, stall);
        if (chunkBytes % 16 != 0 || chunkBytes <= 0 || chunkBytes > MAX_CHUNK_BYTES) {
            throw ParexException.argument("chunks must be a multiple of 16 bytes and at most 1 MiB, not " + chunkBytes);
        }
    }

    private static void require(boolean held, Setting setting, Object value) {
        if (!held) {
            throw setting.refusal(value);
        }
    }

    /** Room for {@code bytes} of a tensor that can stream. */
    long window(long bytes) {
        return Math.min(bytes, windowBytes);
    }
}
