package io.parex.bench;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.Arena;
import java.util.HashMap;
import java.util.Map;

/** The {@link Pattern}s of one world in one type as bytes, each made when first asked for. */
final class Patterns {
    private record Key(int rank, ReduceOp op) {}

    private static final int ALL = -1;

    private final Arena arena;
    private final int ranks;
    private final DataType type;
    private final Map<Key, Elements> made = new HashMap<>();

    Patterns(Arena arena, int ranks, DataType type) {
        this.arena = arena;
        this.ranks = ranks;
        this.type = type;
    }

    /** What a rank gives; {@code op} is the reduction it is for, or null. */
    Elements input(int rank, ReduceOp op) {
        return made.computeIfAbsent(
                new Key(rank, op), key -> new Elements(arena, type, Pattern.input(rank, ranks, type, op)));
    }

    /** What all get from a reduction. */
    Elements reduced(ReduceOp op) {
        return made.computeIfAbsent(
                new Key(ALL, op), key -> new Elements(arena, type, Pattern.reduced(ranks, type, op)));
    }
}
