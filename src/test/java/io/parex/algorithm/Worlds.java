package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.WorldSchedules;
import java.util.ArrayList;
import java.util.List;

/** Schedules of whole worlds for tests. */
public final class Worlds {

    /** Which ranks call in place. */
    public enum InPlace {
        NONE,
        ALL,
        EVERY_THIRD;

        boolean holds(int rank) {
            return this == ALL || this == EVERY_THIRD && rank % 3 == 0;
        }
    }

    private Worlds() {}

    /** All ranks' schedules for one call; where tensors have blocks, each has {@code count} elements. */
    public static WorldSchedules of(Algorithm algorithm, int size, int count, int root, InPlace inPlace) {
        Blocks blocks = algorithm.primitive().isBlocked() ? Blocks.each(count, size) : Blocks.spread(count, size);
        List<Problem> problems = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            problems.add(Problem.of(algorithm.primitive(), rank, size, blocks, root, inPlace.holds(rank)));
        }
        return of(algorithm, problems);
    }

    /** All ranks' schedules for one call of the v-form; each {@code pattern} gives blocks other lengths. */
    public static WorldSchedules uneven(Algorithm algorithm, int size, int pattern, int root, InPlace inPlace) {
        Primitive primitive = algorithm.primitive().vForm();
        List<Problem> problems = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            boolean aliased = inPlace.holds(rank);
            if (primitive == Primitive.ALL_TO_ALL_V) {
                problems.add(allToAll(rank, size, pattern, inPlace));
            } else {
                problems.add(
                        Problem.of(primitive, rank, size, blocks(primitive, rank, size, pattern, root), root, aliased));
            }
        }
        return of(algorithm, problems);
    }

    /** Of scatter_v and gather_v a rank other than the root knows its own length only. */
    private static Blocks blocks(Primitive primitive, int rank, int size, int pattern, int root) {
        boolean all = !primitive.rooted() || rank == root;
        long[] lengths = new long[size];
        for (int block = 0; block < size; block++) {
            lengths[block] = all || block == rank ? length(block, pattern, size) : 77;
        }
        return Blocks.of(lengths);
    }

    /** What a rank has for another is, in place, as much as it gets from it. */
    private static Problem allToAll(int rank, int size, int pattern, InPlace inPlace) {
        boolean symmetric = inPlace != InPlace.NONE;
        long[] out = new long[size];
        long[] in = new long[size];
        for (int peer = 0; peer < size; peer++) {
            int low = symmetric ? Math.min(rank, peer) : rank;
            int high = symmetric ? Math.max(rank, peer) : peer;
            out[peer] = length(3 * low + high, pattern, size);
            in[peer] = length(symmetric ? 3 * low + high : 3 * peer + rank, pattern, size);
        }
        Primitive primitive = Primitive.ALL_TO_ALL_V;
        return new Problem(primitive, rank, 0, Blocks.of(out), Blocks.of(in), inPlace.holds(rank));
    }

    private static long length(int block, int pattern, int size) {
        return switch (pattern) {
            case 0 -> block % size == size - 1 ? 5 : 0;
            case 1 -> block % 3;
            case 2 -> block % size == 0 ? 4 : block % 2;
            default -> 1 + block % 3;
        };
    }

    /** All ranks' schedules for the given problems. */
    public static WorldSchedules of(Algorithm algorithm, List<Problem> problems) {
        return new WorldSchedules(problems.stream().map(algorithm::schedule).toList(), problems);
    }
}
