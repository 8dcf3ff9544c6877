package io.parex.planner;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Effort;
import io.parex.algorithm.Shape;
import io.parex.schedule.Primitive;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the algorithm of a call by what all ranks know alike: primitive, group size, bytes of the whole tensor and of
 * an element, the costs of links, which ranks compare when they meet, and what is part of the call's fingerprint
 * through the name of the algorithm: an override, and whether the result must not depend on the choice. Of the
 * algorithms that can run the call it takes the one whose cost is predicted to be the lowest.
 *
 * <p>An all_reduce of up to 64 KiB takes at most 2 log2 messages a rank where it can: the cost is that of a call alone,
 * while training has many small ones under way, whose messages all hosts and switches have to take. Where it can, no
 * call has a rank send to more than 32 others at once, which takes as many connections, nor need much scratch, as the
 * memory for that is limited and many calls share it: most in a process that all ranks live in.
 */
public final class Selector {
    /** A tensor of which not every rank knows the size is taken to have so many bytes for each rank. */
    private static final double OPEN_BYTES_PER_RANK = 1 << 20;

    /** Predictions that differ by less are taken to be equal: then the algorithm that is listed first is chosen. */
    private static final double TIE = 1.05;

    private static final long FEW_MESSAGES_MAX_BYTES = 64 << 10;

    private static final double AT_ONCE_MAX = 32;
    private static final double SCRATCH_MAX_BYTES = 4 << 20;
    private static final double SCRATCH_MAX_BYTES_OF_ONE_PROCESS = 512 << 10;

    /** Answers that are remembered. */
    private static final int ANSWERS = 1024;

    private final AlgorithmRegistry registry;
    private final AlgorithmOverrides configured;
    private final LinkCosts costs;

    /** Training asks the same few questions for ever, on the way of every call. */
    private final Map<Question, Algorithm> answers = new ConcurrentHashMap<>();

    private record Question(Primitive asked, Shape shape, String override, boolean deterministic) {}

    /**
     * A selector.
     *
     * @param configured what holds for all calls that bring no override for their primitive; for a v-form that none of
     *     its algorithms runs it says nothing
     */
    public Selector(AlgorithmRegistry registry, AlgorithmOverrides configured, LinkCosts costs) {
        this.registry = registry;
        this.configured = configured;
        this.costs = costs;
    }

    /** The shape of a call on a tensor whose size not every rank knows. */
    public static Shape open(int ranks, int valueBytes, int partialBytes) {
        return new Shape(ranks, OPEN_BYTES_PER_RANK * ranks, valueBytes, partialBytes);
    }

    /**
     * The algorithm to use; an override that cannot be meant, or a primitive without algorithms, is an argument error.
     *
     * @param asked the primitive, or its v-form
     * @param shape equal on all ranks of the group
     * @param override as {@link AlgorithmOverrides} reads it, or the part after the colon alone, or null
     * @param deterministic whether a reduction must combine each element in the order of the ranks, so that its bits
     *     depend on neither the algorithm nor the count; kind {@code unsupported} if no algorithm does
     */
    public Algorithm select(Primitive asked, Shape shape, String override, boolean deterministic) {
        Question question = new Question(asked, shape, override, deterministic);
        Algorithm known = answers.get(question);
        if (known != null) {
            return known;
        }
        Algorithm chosen = choose(asked, shape, override, deterministic);
        if (answers.size() >= ANSWERS) {
            answers.clear();
        }
        answers.put(question, chosen);
        return chosen;
    }

    private Algorithm choose(Primitive asked, Shape shape, String override, boolean deterministic) {
        List<Algorithm> able = registry.of(asked).stream()
                .filter(algorithm -> algorithm.handles(asked, shape.ranks()))
                .toList();
        if (able.isEmpty()) {
            throw ParexException.argument("no algorithm runs " + asked.label());
        }
        boolean ordered = deterministic && asked.reducing();
        Predicate<Algorithm> suits = algorithm -> !ordered || algorithm.inRankOrder();
        List<Algorithm> suitable = able.stream().filter(suits).toList();
        if (suitable.isEmpty()) {
            throw new ParexException(
                    ErrorKind.UNSUPPORTED,
                    "no algorithm for " + asked.label() + " reduces in the order of the ranks, as deterministic calls"
                            + " have to");
        }
        AlgorithmOverrides own = own(asked.base(), override);
        AlgorithmOverrides overrides = own == null ? configured : own;
        List<Algorithm> allowed = suitable.stream().filter(overrides::allows).toList();
        // What is configured for a primitive was not said with its v-form in mind; what a call says was.
        if (allowed.isEmpty() && own == null && able.stream().noneMatch(configured::allows)) {
            return cheapest(asked, suitable, shape);
        }
        if (allowed.isEmpty()) {
            throw ParexException.argument(
                    "the algorithms that are chosen for " + asked.base().label() + " ("
                            + names(registry.of(asked).stream().filter(overrides::allows)) + ") cannot run "
                            + (ordered ? "a deterministic " : "") + asked.label() + "; these can: "
                            + names(suitable.stream()));
        }
        return cheapest(asked, allowed, shape);
    }

    private Algorithm cheapest(Primitive asked, List<Algorithm> algorithms, Shape shape) {
        Algorithm best = null;
        double least = 0;
        int most = 0;
        for (Algorithm algorithm : algorithms) {
            Effort effort = algorithm.effort(shape);
            double seconds = costs.seconds(effort, shape.placement());
            int virtues = (needsLittle(effort) ? 2 : 0) + (sendsFew(asked, effort, shape) ? 1 : 0);
            boolean isBetter = virtues == most ? seconds * TIE < least : virtues > most;
            if (best == null || isBetter) {
                best = algorithm;
                least = seconds;
                most = virtues;
            }
        }
        return best;
    }

    private boolean needsLittle(Effort effort) {
        boolean isOneProcess = costs.kind() == LinkKind.MEMORY;
        return effort.scratchBytes() <= (isOneProcess ? SCRATCH_MAX_BYTES_OF_ONE_PROCESS : SCRATCH_MAX_BYTES);
    }

    private static boolean sendsFew(Primitive asked, Effort effort, Shape shape) {
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(shape.ranks() - 1);
        boolean isSmallSum = asked == Primitive.ALL_REDUCE && shape.bytes() <= FEW_MESSAGES_MAX_BYTES;
        // All blocks of an all_to_all have to go to their own ranks, sooner or later.
        boolean fansOut = asked.base() != Primitive.ALL_TO_ALL
                && effort.phases().stream().anyMatch(phase -> phase.messages() > AT_ONCE_MAX);
        return !fansOut && (!isSmallSum || effort.messages() <= 2 * doublings);
    }

    private static String names(Stream<Algorithm> algorithms) {
        return algorithms.map(Algorithm::name).collect(Collectors.joining(", "));
    }

    /** What a call says about its primitive; null if nothing. */
    private AlgorithmOverrides own(Primitive primitive, String override) {
        if (override == null || override.isBlank()) {
            return null;
        }
        String text = override.contains(":") ? override : primitive.label() + ":" + override;
        AlgorithmOverrides own = AlgorithmOverrides.parse(text, registry);
        return own.names(primitive) ? own : null;
    }
}
