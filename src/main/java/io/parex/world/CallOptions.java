package io.parex.world;

import java.time.Duration;
import java.util.Objects;

/**
 * What a caller may say of one call.
 *
 * @param timeout from submission to completion; null: the world's default
 * @param algorithm name of the algorithm, such as {@code ring}; null: the planner chooses. Must be equal on all ranks.
 * @param name a text that all ranks must give alike, such as the name of a layer; empty: none. It tells apart calls
 *     that are otherwise equal.
 */
public record CallOptions(Duration timeout, String algorithm, String name) {

    /** The world's default timeout, the planner's algorithm, no name. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, "");

    public CallOptions {
        Objects.requireNonNull(name);
    }

    /** These options with another timeout. */
    public CallOptions withTimeout(Duration limit) {
        return new CallOptions(limit, algorithm, name);
    }

    /** These options with a given algorithm. */
    public CallOptions withAlgorithm(String chosen) {
        return new CallOptions(timeout, chosen, name);
    }

    /** These options with a call name. */
    public CallOptions withName(String text) {
        return new CallOptions(timeout, algorithm, text);
    }
}
