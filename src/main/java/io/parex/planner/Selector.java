package io.parex.planner;

import io.parex.ParexException;
import io.parex.algorithm.Algorithm;
import io.parex.schedule.Primitive;
import java.util.List;

/**
 * Chooses the algorithm of a call by what all ranks know alike: primitive, group size, bytes of the whole tensor, and
 * an override that is part of the call's fingerprint. The thresholds are where the cost model's curves cross on common
 * networks: few messages win while a message costs more than its bytes, few bytes win above.
 */
public final class Selector {
    private static final long KIB = 1024;

    /** Up to here a tensor goes whole in each round. */
    private static final long WHOLE_TENSOR_MAX_BYTES = 64 * KIB;

    /** On 3 ranks the ring sends no more messages than folding and unfolding does, and far fewer bytes. */
    private static final long WHOLE_TENSOR_MAX_BYTES_OF_THREE = 16 * KIB;

    private final AlgorithmRegistry registry;
    private final AlgorithmOverrides configured;

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

    /**
     * The algorithm to use; an override that cannot be meant, or a primitive without algorithms, is an argument error.
     *
     * @param size ranks of the group
     * @param bytes of the whole tensor
     * @param override as {@link AlgorithmOverrides} reads it, or the part after the colon alone, or null
     */
    public Algorithm select(Primitive primitive, int size, long bytes, String override) {
        AlgorithmOverrides overrides = overrides(primitive, override);
        List<Algorithm> allowed = registry.of(primitive).stream()
                .filter(algorithm -> algorithm.handles(primitive, size))
                .filter(overrides::allows)
                .toList();
        if (allowed.isEmpty()) {
            throw ParexException.argument("no algorithm runs " + primitive.label());
        }
        String preferred = preferred(primitive.base(), size, bytes);
        return allowed.stream()
                .filter(algorithm -> algorithm.name().equals(preferred))
                .findFirst()
                .orElse(allowed.getFirst());
    }

    private AlgorithmOverrides overrides(Primitive primitive, String override) {
        if (override == null || override.isBlank()) {
            return configured;
        }
        String text = override.contains(":") ? override : primitive.base().label() + ":" + override;
        AlgorithmOverrides own = AlgorithmOverrides.parse(text, registry);
        return own.names(primitive.base()) ? own : configured;
    }

    private static String preferred(Primitive primitive, int size, long bytes) {
        return switch (primitive) {
            case ALL_REDUCE -> {
                long limit = size == 3 ? WHOLE_TENSOR_MAX_BYTES_OF_THREE : WHOLE_TENSOR_MAX_BYTES;
                yield bytes <= limit ? "recursive_doubling" : "ring";
            }
            case BROADCAST -> bytes <= WHOLE_TENSOR_MAX_BYTES ? "binomial" : "chain";
            case BARRIER -> "dissemination";
            default -> "";
        };
    }
}
