package io.parex.world;

import io.parex.algorithm.Algorithm;
import io.parex.algorithm.Shape;
import io.parex.planner.Selector;
import io.parex.protocol.Descriptor;
import io.parex.schedule.Blocks;
import io.parex.schedule.Placement;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.tensor.DataType;
import io.parex.tensor.Reductions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How a collective call is made: what it solves, by which algorithm, and what of it must be equal on all members.
 * Immutable.
 *
 * @param problem what the schedule is to solve; null while lengths are open, and for a call that is given up
 * @param algorithm null for a call that is given up
 * @param descriptor the fingerprint
 */
record Plan(Problem problem, Algorithm algorithm, Descriptor descriptor) {
    /** Longest text of lengths in a descriptor; of more of them it has a prefix and a hash. */
    private static final int LENGTHS_CHARS = 64;

    private static final int PREFIX_CHARS = 32;

    /** The plan of a call whose arguments were found good. The algorithm follows from what all members know alike. */
    static Plan of(
            Call call, Problem problem, Placement placement, int size, Selector selector, boolean deterministic) {
        boolean isKnown = problem != null && !call.primitive().isPairwise();
        TensorStream shape = call.shape();
        long count = isKnown ? problem.count() : 0;
        boolean isOrdered =
                call.primitive().reducing() && (deterministic || call.options().deterministic());
        Algorithm algorithm = selector.select(
                call.primitive(),
                cost(call, isKnown, count, size).on(placement),
                call.options().algorithm(),
                isOrdered);
        String known = detail(call, isOrdered);
        if (problem == null || !algorithm.looksAtHosts() || !placement.isMixed()) {
            return new Plan(problem, algorithm, descriptor(call, count, algorithm.name(), known));
        }
        // Members that see other hosts would not run schedules that fit together.
        String hosts = "hosts " + Integer.toHexString(placement.hashCode());
        String detail = known.isEmpty() ? hosts : known + ", " + hosts;
        return new Plan(problem.on(placement), algorithm, descriptor(call, count, algorithm.name(), detail));
    }

    /** What the cost depends on, as far as all members know it. */
    private static Shape cost(Call call, boolean isKnown, long count, int size) {
        if (call.shape() == null) {
            return Shape.of(size, 0);
        }
        DataType type = call.shape().type();
        DataType partial = call.op() == null ? type : Reductions.partialType(type, call.op());
        return isKnown
                ? new Shape(size, (double) count * type.bytes(), type.bytes(), partial.bytes())
                : Selector.open(size, type.bytes(), partial.bytes());
    }

    /** The plan of a call that is numbered only to fail. */
    static Plan givenUp(Call call) {
        TensorStream shape = call.shape();
        return new Plan(null, null, descriptor(call, shape == null ? 0 : shape.count(), "none", detail(call, false)));
    }

    private static Descriptor descriptor(Call call, long count, String algorithm, String detail) {
        TensorStream shape = call.shape();
        return new Descriptor(
                call.primitive(),
                shape == null ? null : shape.type(),
                call.op(),
                call.root(),
                count,
                detail,
                algorithm,
                call.options().name());
    }

    private static String detail(Call call, boolean isOrdered) {
        boolean isPlain = !call.primitive().isV() && call.factor() == null && !isOrdered;
        if (isPlain && !isJoined(call.input()) && !isJoined(call.output())) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        if (call.open()) {
            parts.add("lengths open");
        } else if (call.primitive().isPairwise()) {
            parts.add("lengths by pair");
        } else if (call.blocks() != null) {
            parts.add("lengths " + words(call.blocks()));
        }
        TensorStream listed = call.primitive().base() == Primitive.REDUCE_SCATTER ? call.output() : call.shape();
        if (listed != null && listed.parts().length > 1) {
            parts.add("tensors " + words(Blocks.of(listed.parts())));
        }
        if (call.factor() != null) {
            parts.add("factor " + call.factor());
        }
        if (isOrdered) {
            parts.add("in rank order");
        }
        return String.join(", ", parts);
    }

    private static boolean isJoined(TensorStream stream) {
        return stream != null && stream.isJoined();
    }

    /** Such as {@code 3,0,5}; of many a prefix, how many they are, and a hash. */
    static String words(Blocks blocks) {
        String all = IntStream.range(0, blocks.size())
                .mapToObj(block -> Long.toString(blocks.length(block)))
                .collect(Collectors.joining(","));
        if (all.length() <= LENGTHS_CHARS) {
            return all;
        }
        String prefix = all.substring(0, all.lastIndexOf(',', PREFIX_CHARS) + 1);
        return prefix + "... (" + blocks.size() + " of " + blocks.count() + " in all, hash "
                + Long.toHexString(hash(blocks)) + ")";
    }

    /** FNV-1a over the lengths, mixed so that each bit of a length counts. */
    private static long hash(Blocks blocks) {
        long hash = 0xcbf29ce484222325L;
        for (int block = 0; block < blocks.size(); block++) {
            hash = (hash ^ blocks.length(block)) * 0x100000001b3L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    /** Elements of each block of this rank's output, in order, for a v-form; none for others. */
    static List<Long> lengthsOfOutput(Problem problem) {
        Primitive primitive = problem.primitive();
        if (!primitive.isV()) {
            return List.of();
        }
        return switch (primitive.base()) {
            case SCATTER, REDUCE_SCATTER -> List.of(problem.outputLength());
            case GATHER -> problem.isRoot() ? lengths(problem.blocks()) : List.of();
            default -> lengths(problem.incoming());
        };
    }

    private static List<Long> lengths(Blocks blocks) {
        return IntStream.range(0, blocks.size()).mapToObj(blocks::length).toList();
    }
}
