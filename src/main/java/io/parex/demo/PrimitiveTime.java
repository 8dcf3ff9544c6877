package io.parex.demo;

/**
 * The calls of one primitive by one worker.
 *
 * @param primitive name as in metrics, such as {@code all_reduce}
 * @param count calls that ended well
 * @param totalBytes this worker's buffer, summed over the calls
 * @param totalNanos from call to return, summed; includes waiting for slower workers
 */
record PrimitiveTime(String primitive, long count, long totalBytes, long totalNanos) {

    static PrimitiveTime none(String primitive) {
        return new PrimitiveTime(primitive, 0, 0, 0);
    }

    PrimitiveTime plusCall(long bytes, long nanos) {
        return new PrimitiveTime(primitive, count + 1, totalBytes + bytes, totalNanos + nanos);
    }

    double totalSeconds() {
        return totalNanos / 1e9;
    }

    /** Mean time of a call in milliseconds, 0 without calls. */
    double meanMillis() {
        return count == 0 ? 0 : totalNanos / 1e6 / count;
    }

    /** Mean buffer of a call, 0 without calls. */
    long meanBytes() {
        return count == 0 ? 0 : totalBytes / count;
    }
}
