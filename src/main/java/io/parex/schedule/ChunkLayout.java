package io.parex.schedule;

/**
 * {@code count} elements in {@code size} chunks as equal as can be: the first {@code count % size} chunks are one
 * element longer, and with fewer elements than chunks the last ones are empty.
 *
 * @param count elements of the whole tensor, 0 or more
 * @param size number of chunks, 1 or more
 */
public record ChunkLayout(long count, int size) {

    public ChunkLayout {
        if (count < 0 || size < 1) {
            throw new IllegalArgumentException(count + " elements in " + size + " chunks");
        }
    }

    /** First element of a chunk. */
    public long offset(int chunk) {
        return chunk * (count / size) + Math.min(chunk, count % size);
    }

    /** Elements of a chunk. */
    public long length(int chunk) {
        return count / size + (chunk < count % size ? 1 : 0);
    }

    /** A chunk of a buffer that holds the whole tensor. */
    public Slice slice(Buffer buffer, int chunk) {
        return new Slice(buffer, offset(chunk), length(chunk));
    }
}
