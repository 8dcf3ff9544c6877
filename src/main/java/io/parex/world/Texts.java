package io.parex.world;

/** Words for messages. */
final class Texts {
    private Texts() {}

    /** Such as {@code 5.0 s}. */
    static String seconds(long nanos) {
        return nanos / 1_000_000_000 + "." + nanos / 100_000_000 % 10 + " s";
    }
}
