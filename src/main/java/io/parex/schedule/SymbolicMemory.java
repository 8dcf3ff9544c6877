package io.parex.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The cells of all ranks' buffers. A pipe has as many cells as its window, used in turn. */
final class SymbolicMemory {
    private record RankCells(int[] input, int[] output, List<int[]> scratch) {}

    private final List<RankCells> ranks = new ArrayList<>();

    /** Inputs hold their own leaves, everything else is undefined. */
    SymbolicMemory(WorldSchedules world, Expressions expressions, int pipeWindow) {
        for (int rank = 0; rank < world.size(); rank++) {
            int[] input = new int[world.count()];
            for (int element = 0; element < input.length; element++) {
                input[element] = expressions.leaf(rank, element);
            }
            int[] output = world.aliased(rank) ? input : new int[world.count()];
            ranks.add(new RankCells(input, output, scratch(world.ranks().get(rank), pipeWindow)));
        }
    }

    int read(int rank, Slice slice, long element) {
        int[] cells = cells(rank, slice.buffer());
        return cells[(int) ((slice.offset() + element) % cells.length)];
    }

    void write(int rank, Slice slice, long element, int value) {
        int[] cells = cells(rank, slice.buffer());
        cells[(int) ((slice.offset() + element) % cells.length)] = value;
    }

    /** A copy of a rank's output. */
    int[] output(int rank) {
        return Arrays.copyOf(ranks.get(rank).output(), ranks.get(rank).output().length);
    }

    private int[] cells(int rank, Buffer buffer) {
        RankCells cells = ranks.get(rank);
        return switch (buffer.kind()) {
            case INPUT -> cells.input();
            case OUTPUT -> cells.output();
            case SCRATCH -> cells.scratch().get(buffer.index());
        };
    }

    private static List<int[]> scratch(Schedule schedule, int pipeWindow) {
        List<int[]> scratch = new ArrayList<>();
        for (Schedule.Scratch buffer : schedule.scratch()) {
            int length = (int) buffer.length();
            scratch.add(new int[buffer.pipe() ? Math.min(pipeWindow, length) : length]);
        }
        return scratch;
    }
}
