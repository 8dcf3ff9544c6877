package io.parex.world;

import io.parex.planner.LinkCosts;
import java.util.Objects;

/**
 * How the algorithms of a world's calls are chosen, equal on all its ranks.
 *
 * @param overrides such as {@code all_reduce:ring;broadcast:^chain}; null: the planner's choice
 * @param deterministic whether all reductions combine each element in the order of the ranks, see {@link CallOptions}
 * @param costs of links, by which the planner chooses; ranks that are told others do not meet
 */
public record AlgorithmChoice(String overrides, boolean deterministic, LinkCosts costs) {

    public AlgorithmChoice {
        Objects.requireNonNull(costs);
    }
}
