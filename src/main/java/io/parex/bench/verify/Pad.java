package io.parex.bench.verify;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory that is given out again and again, piece by piece, with bytes around each that nobody may touch. Pieces of one
 * check lie at the same alignment whenever it runs, and most at none.
 */
final class Pad implements AutoCloseable {
    private static final int GUARD_BYTES = 67;
    private static final byte GUARD = (byte) 0xC7;

    /** Before a piece is written to. */
    private static final byte FRESH = (byte) 0x5A;

    private static final int ALIGNMENT_BYTES = 64;

    private final List<MemorySegment> guards = new ArrayList<>();
    private Arena arena = Arena.ofShared();
    private MemorySegment memory = MemorySegment.NULL;
    private long used;

    /** Takes all pieces back, and makes sure that {@code bytes} in {@code pieces} pieces can be given out. */
    void reset(long bytes, int pieces) {
        used = 0;
        guards.clear();
        long needed = bytes + (long) pieces * (2 * GUARD_BYTES + ALIGNMENT_BYTES);
        if (needed > memory.byteSize()) {
            arena.close();
            arena = Arena.ofShared();
            memory = arena.allocate(needed + needed / 2, ALIGNMENT_BYTES);
        }
    }

    /** The next piece begins where none of the check before it has an influence. */
    void align() {
        used = -Math.floorDiv(-used, (long) ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
    }

    /** A piece. */
    MemorySegment take(long bytes) {
        guard();
        MemorySegment piece = memory.asSlice(used, bytes).fill(FRESH);
        used += bytes;
        guard();
        return piece;
    }

    private void guard() {
        guards.add(memory.asSlice(used, GUARD_BYTES).fill(GUARD));
        used += GUARD_BYTES;
    }

    /** Whether a piece is as it was when it was given out. */
    static boolean isFresh(MemorySegment piece) {
        return isFilled(piece, FRESH);
    }

    /** How many guards there are by now. */
    int guards() {
        return guards.size();
    }

    /** Whether those guards are untouched. */
    boolean isGuarded(int from, int to) {
        return guards.subList(from, to).stream().allMatch(guard -> isFilled(guard, GUARD));
    }

    private static boolean isFilled(MemorySegment memory, byte value) {
        for (long at = 0; at < memory.byteSize(); at++) {
            if (memory.get(ValueLayout.JAVA_BYTE, at) != value) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        arena.close();
    }
}
