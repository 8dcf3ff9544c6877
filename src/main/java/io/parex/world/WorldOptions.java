package io.parex.world;

import io.parex.ParexException;
import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/**
 * Settings of a world, equal on all its ranks.
 *
 * @param name of the world
 * @param callTimeout limit of a call that names none, from submission to completion
 * @param warnAfter a call that waits longer is logged, again after each such interval
 * @param startTimeout how long the other ranks may take to be there
 * @param choice how algorithms are chosen
 * @param copyPoolBytes limit of the native memory for copies of small messages and for scratch, of all ranks in this
 *     process together
 */
public record WorldOptions(
        String name,
        Duration callTimeout,
        Duration warnAfter,
        Duration startTimeout,
        AlgorithmChoice choice,
        long copyPoolBytes) {

    /**
     * World "parex" in one process, calls of at most 10 min, a warning after 10 s, 5 min to start, 256 MiB of scratch.
     */
    public static final WorldOptions DEFAULT = new WorldOptions(
            "parex",
            Duration.ofMinutes(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(5),
            new AlgorithmChoice(null, false, CostTable.standard().of(LinkKind.MEMORY)),
            256L << 20);

    public WorldOptions {
        Objects.requireNonNull(name);
        Objects.requireNonNull(choice);
        if (name.getBytes(StandardCharsets.UTF_8).length > Limits.NAME_BYTES) {
            throw ParexException.argument(
                    "the name of a world has at most " + Limits.NAME_BYTES + " bytes of UTF-8, not '" + name + "'");
        }
        requirePositive("call timeout", callTimeout);
        requirePositive("warn interval", warnAfter);
        CallCheck.requireCountable(callTimeout);
        CallCheck.requireCountable(warnAfter);
        requirePositive("start timeout", startTimeout);
        CallCheck.requireCountable(startTimeout);
    }

    private static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw ParexException.argument("the " + what + " must be positive, not " + value);
        }
    }

    /** These options for a world of another name. */
    public WorldOptions withName(String value) {
        return new WorldOptions(value, callTimeout, warnAfter, startTimeout, choice, copyPoolBytes);
    }

    /** These options with another default timeout of calls. */
    public WorldOptions withCallTimeout(Duration value) {
        return new WorldOptions(name, value, warnAfter, startTimeout, choice, copyPoolBytes);
    }

    /** These options with another warn interval. */
    public WorldOptions withWarnAfter(Duration value) {
        return new WorldOptions(name, callTimeout, value, startTimeout, choice, copyPoolBytes);
    }

    /** These options with another limit of the start. */
    public WorldOptions withStartTimeout(Duration value) {
        return new WorldOptions(name, callTimeout, warnAfter, value, choice, copyPoolBytes);
    }

    /** These options with another bound on scratch memory. */
    public WorldOptions withCopyPoolBytes(long value) {
        return new WorldOptions(name, callTimeout, warnAfter, startTimeout, choice, value);
    }

    /** These options with a choice of algorithms, such as {@code all_reduce:ring;broadcast:^chain}. */
    public WorldOptions withAlgorithms(String value) {
        return with(new AlgorithmChoice(value, choice.deterministic(), choice.costs()));
    }

    /** These options with reductions in the order of the ranks, or without. */
    public WorldOptions withDeterministic(boolean value) {
        return with(new AlgorithmChoice(choice.overrides(), value, choice.costs()));
    }

    /** These options with other costs of links. */
    public WorldOptions withCosts(LinkCosts value) {
        return with(new AlgorithmChoice(choice.overrides(), choice.deterministic(), value));
    }

    private WorldOptions with(AlgorithmChoice value) {
        return new WorldOptions(name, callTimeout, warnAfter, startTimeout, value, copyPoolBytes);
    }
}
