package io.parex.planner;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.schedule.Primitive;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses the algorithm of a call by what all ranks know alike: primitive, group size, bytes of the whole tensor, and
 * what is part of the call's fingerprint through the name of the algorithm: an override, and whether the result must
 * not depend on the choice. The thresholds are where the cost model's curves cross on common networks: few messages win
 * while a message costs more than its bytes, few bytes win above.
 */
public final class Selector {
    /** For {@code bytes} that not every rank knows: the choice is the one for large tensors. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    private static final long KIB = 1024;

    /** Up to here a tensor goes whole in each round. */
    private static final long WHOLE_TENSOR_MAX_BYTES = 64 * KIB;

    /** On 3 ranks the ring sends no more messages than folding and unfolding does, and far fewer bytes. */
    private static final long WHOLE_TENSOR_MAX_BYTES_OF_THREE = 16 * KIB;

    /** Up to here blocks are exchanged with ever more distant ranks, whose number is a power of two. */
    private static final long DOUBLING_MAX_BYTES = 512 * KIB;

    /** The same for other numbers of ranks, which takes more bytes or a copy. */
    private static final long ROTATING_MAX_BYTES = 80 * KIB;

    /** From this many ranks on a tree of blocks has fewer rounds than its root saves by sending them itself. */
    private static final int TREE_MIN_SIZE = 4;

    /** Up to here, and from so many ranks on, a block of an all_to_all takes detours to save messages. */
    private static final long DETOUR_MAX_BLOCK_BYTES = 256;

    private static final int DETOUR_MIN_SIZE = 8;

    /** Answers that are remembered. */
    private static final int ANSWERS = 1024;

    /** Up to here all blocks of an all_to_all are sent at once. */
    private static final long AT_ONCE_MAX_BLOCK_BYTES = 32 * KIB;

    private final AlgorithmRegistry registry;
    private final AlgorithmOverrides configured;

    /** Training asks the same few questions for ever, on the way of every call. */
    private final Map<Question, Algorithm> answers = new ConcurrentHashMap<>();

    private record Question(Primitive asked, int size, long bytes, String override, boolean deterministic) {}

    /**
     * A selector.
     *
     * @param configured what holds for all calls that bring no override for their primitive
     */
    public Selector(AlgorithmRegistry registry, AlgorithmOverrides configured) {
        this.registry = registry;
        this.configured = configured;
    }

    /** A selector over all algorithms with nothing configured. */
    public static Selector standard() {
        return new Selector(AlgorithmRegistry.standard(), AlgorithmOverrides.none());
    }

    /** As {@link #select(Primitive, int, long, String, boolean)}, of a call that need not be deterministic. */
    public Algorithm select(Primitive asked, int size, long bytes, String override) {
        return select(asked, size, bytes, override, false);
    }

    /**
     * The algorithm to use; an override that cannot be meant, or a primitive without algorithms, is an argument error.
     *
     * @param asked the primitive, or its v-form
     * @param size ranks of the group
     * @param bytes of the whole tensor, or {@link #UNKNOWN}
     * @param override as {@link AlgorithmOverrides} reads it, or the part after the colon alone, or null
     * @param deterministic whether a reduction must combine each element in the order of the ranks, so that its bits
     *     depend on neither the algorithm nor the count; kind {@code unsupported} if no algorithm does
     */
    public Algorithm select(Primitive asked, int size, long bytes, String override, boolean deterministic) {
        Question question = new Question(asked, size, bytes, override, deterministic);
        Algorithm known = answers.get(question);
        if (known != null) {
            return known;
        }
        Algorithm chosen = choose(asked, size, bytes, override, deterministic);
        if (answers.size() >= ANSWERS) {
            answers.clear();
        }
        answers.put(question, chosen);
        return chosen;
    }

    private Algorithm choose(Primitive asked, int size, long bytes, String override, boolean deterministic) {
        List<Algorithm> able = registry.of(asked).stream()
                .filter(algorithm -> algorithm.handles(asked, size))
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
        AlgorithmOverrides overrides = overrides(asked.base(), override);
        List<Algorithm> allowed = suitable.stream().filter(overrides::allows).toList();
        if (allowed.isEmpty()) {
            throw ParexException.argument(
                    "the algorithms that are chosen for " + asked.base().label() + " ("
                            + names(registry.of(asked).stream().filter(overrides::allows)) + ") cannot run "
                            + (ordered ? "a deterministic " : "") + asked.label() + "; these can: "
                            + names(suitable.stream()));
        }
        String preferred = preferred(asked.base(), size, bytes, ordered);
        return allowed.stream()
                .filter(algorithm -> algorithm.name().equals(preferred))
                .findFirst()
                .orElse(allowed.getFirst());
    }

    private static String names(Stream<Algorithm> algorithms) {
        return algorithms.map(Algorithm::name).collect(Collectors.joining(", "));
    }

    private AlgorithmOverrides overrides(Primitive primitive, String override) {
        if (override == null || override.isBlank()) {
            return configured;
        }
        String text = override.contains(":") ? override : primitive.label() + ":" + override;
        AlgorithmOverrides own = AlgorithmOverrides.parse(text, registry);
        return own.names(primitive) ? own : configured;
    }

    private static String preferred(Primitive primitive, int size, long bytes, boolean ordered) {
        boolean isPowerOfTwo = Integer.bitCount(size) == 1;
        return switch (primitive) {
            case ALL_REDUCE -> {
                long limit = size == 3 ? WHOLE_TENSOR_MAX_BYTES_OF_THREE : WHOLE_TENSOR_MAX_BYTES;
                if (ordered) {
                    yield bytes <= limit ? "direct" : "direct_blocks";
                }
                yield bytes <= limit ? "recursive_doubling" : "ring";
            }
            case BROADCAST, REDUCE -> bytes <= WHOLE_TENSOR_MAX_BYTES ? "binomial" : "chain";
            case SCATTER, GATHER -> size >= TREE_MIN_SIZE && bytes <= WHOLE_TENSOR_MAX_BYTES ? "binomial" : "linear";
            case ALL_GATHER -> {
                long limit = isPowerOfTwo ? DOUBLING_MAX_BYTES : ROTATING_MAX_BYTES;
                yield bytes > limit ? "ring" : isPowerOfTwo ? "recursive_doubling" : "bruck";
            }
            case REDUCE_SCATTER -> isPowerOfTwo && bytes <= DOUBLING_MAX_BYTES ? "recursive_halving" : "ring";
            case ALL_TO_ALL -> {
                if (bytes / size > AT_ONCE_MAX_BLOCK_BYTES) {
                    yield "pairwise";
                }
                yield size >= DETOUR_MIN_SIZE && bytes / size <= DETOUR_MAX_BLOCK_BYTES ? "bruck" : "direct";
            }
            case BARRIER -> "dissemination";
            default -> "";
        };
    }
}
