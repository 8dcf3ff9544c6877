package io.parex.tensor;

/** The sizes of pooled blocks: powers of two from 256 bytes to 1 MiB, numbered from 0. */
final class SizeClass {
    static final long SMALLEST_BYTES = 256;
    static final long LARGEST_BYTES = 1 << 20;
    static final int COUNT = of(LARGEST_BYTES) + 1;

    private SizeClass() {}

    /** The least class whose blocks hold {@code bytes}, which is between 0 and {@link #LARGEST_BYTES}. */
    static int of(long bytes) {
        int smallestBits = Long.numberOfTrailingZeros(SMALLEST_BYTES);
        long last = Math.max(bytes, SMALLEST_BYTES) - 1;
        return Long.SIZE - Long.numberOfLeadingZeros(last) - smallestBits;
    }

    /** Size of a block of this class in bytes. */
    static long bytes(int sizeClass) {
        return SMALLEST_BYTES << sizeClass;
    }
}
