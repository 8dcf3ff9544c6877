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
 * @param deterministic whether a reduction must combine each element in the order of the ranks, so that its bits depend
 *     on neither the algorithm nor what is reduced with it; false: as the world's default. Must be equal on all ranks.
 */
public record CallOptions(Duration timeout, String algorithm, String name, boolean deterministic) {

    /** The world's default timeout, the planner's algorithm, no name. */
    public static final CallOptions DEFAULT = new CallOptions(null, null, "");

    public CallOptions {
        Objects.requireNonNull(name);
    }

    /** Options of a call that is as deterministic as the world's default. */
    public CallOptions(Duration timeout, String algorithm, String name) {
        this(timeout, algorithm, name, false);
    }

    /** These options with another timeout. */
    public CallOptions withTimeout(Duration limit) {
        return new CallOptions(limit, algorithm, name, deterministic);
    }

    /** These options with a given algorithm. */
    public CallOptions withAlgorithm(String chosen) {
        return new CallOptions(timeout, chosen, name, deterministic);
    }

    /** These options with a call name. */
    public CallOptions withName(String text) {
        return new CallOptions(timeout, algorithm, text, deterministic);
    }

    /** These options with reductions in the order of the ranks, or as the world's default has it. */
    public CallOptions withDeterministic(boolean value) {
        return new CallOptions(timeout, algorithm, name, value);
    }
}
