package io.parex.schedule;

/**
 * Elements {@code [offset, offset + length)} of a buffer.
 *
 * @param offset first element, from the buffer's start
 * @param length number of elements, 0 or more
 */
public record Slice(Buffer buffer, long offset, long length) {

    public Slice {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException("slice [" + offset + ", +" + length + ") of " + buffer);
        }
    }

    /** First element after the slice. */
    public long end() {
        return offset + length;
    }

    @Override
    public String toString() {
        return buffer + "[" + offset + "," + end() + ")";
    }
}
