package io.parex.client;

import io.parex.ParexException;
import java.time.Duration;

/**
 * What a caller may say of one call.
 *
 * @param timeout from the call's arrival at the rank to completion; null: the world's default
 * @param tag of the message, for sends and receives; {@link ParexClient#ANY_TAG} lets a receive take any
 * @param name a text that all ranks must give alike, such as the name of a layer; empty: none
 * @param algorithm name of the algorithm, such as {@code ring}, equal on all ranks; null: the planner chooses
 * @param deterministic whether a reduction must combine each element in the order of the ranks, so that its bits depend
 *     on neither the algorithm nor what is reduced with it; false: as the world's default. Must be equal on all ranks.
 */
public record ClientOptions(Duration timeout, int tag, String name, String algorithm, boolean deterministic) {

    /** The world's timeout, tag 0, no name, the planner's algorithm. */
    public static final ClientOptions DEFAULT = new ClientOptions(null, 0, "", null, false);

    public ClientOptions {
        Arguments.given(name, "name");
        if (timeout != null && !timeout.isPositive()) {
            throw ParexException.argument("the timeout must be positive, not " + timeout);
        }
    }

    /** These options with another timeout. */
    public ClientOptions withTimeout(Duration limit) {
        return new ClientOptions(limit, tag, name, algorithm, deterministic);
    }

    /** These options with another tag. */
    public ClientOptions withTag(int value) {
        return new ClientOptions(timeout, value, name, algorithm, deterministic);
    }

    /** These options with a call name. */
    public ClientOptions withName(String text) {
        return new ClientOptions(timeout, tag, text, algorithm, deterministic);
    }

    /** These options with a given algorithm. */
    public ClientOptions withAlgorithm(String chosen) {
        return new ClientOptions(timeout, tag, name, chosen, deterministic);
    }

    /** These options with reductions in the order of the ranks, or as the world's default has it. */
    public ClientOptions withDeterministic(boolean value) {
        return new ClientOptions(timeout, tag, name, algorithm, value);
    }
}
