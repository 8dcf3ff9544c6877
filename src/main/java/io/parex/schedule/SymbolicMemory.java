package io.parex.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The cells of all ranks' buffers. A pipe has as many cells as its window, used in turn. */
final class SymbolicMemory {

    /** The cells in which a buffer lies, and the first that is its own; a pipe has fewer than it has elements. */
    private record Place(int[] cells, int base) {}

    private record RankCells(Place input, Place output, List<Place> scratch) {}

    private final WorldSchedules world;
    private final List<RankCells> ranks = new ArrayList<>();

    /** Inputs hold their own leaves, everything else is undefined. */
    SymbolicMemory(WorldSchedules world, Expressions expressions, int pipeWindow) {
        this.world = world;
        for (int rank = 0; rank < world.size(); rank++) {
            Problem problem = world.problem(rank);
            int inputs = (int) problem.inputLength();
            int outputs = (int) problem.outputLength();
            Aliasing aliasing = problem.aliasing();
            int inputBase = aliasing.inPlace() ? (int) aliasing.inputBase() : 0;
            int outputBase = aliasing.inPlace() ? (int) aliasing.outputBase() : 0;
            int[] input = new int[aliasing.inPlace() ? Math.max(inputBase + inputs, outputBase + outputs) : inputs];
            for (int element = 0; element < inputs; element++) {
                input[inputBase + element] = expressions.leaf(rank, element);
            }
            int[] output = aliasing.inPlace() ? input : new int[outputs];
            ranks.add(new RankCells(
                    new Place(input, inputBase),
                    new Place(output, outputBase),
                    scratch(world.ranks().get(rank), pipeWindow)));
        }
    }

    int read(int rank, Slice slice, long element) {
        Place place = place(rank, slice.buffer());
        return place.cells()[cell(place, slice, element)];
    }

    void write(int rank, Slice slice, long element, int value) {
        Place place = place(rank, slice.buffer());
        place.cells()[cell(place, slice, element)] = value;
    }

    /** A copy of a rank's output. */
    int[] output(int rank) {
        Place output = ranks.get(rank).output();
        int length = (int) world.problem(rank).outputLength();
        return Arrays.copyOfRange(output.cells(), output.base(), output.base() + length);
    }

    private static int cell(Place place, Slice slice, long element) {
        return (int) ((place.base() + slice.offset() + element) % place.cells().length);
    }

    private Place place(int rank, Buffer buffer) {
        RankCells cells = ranks.get(rank);
        return switch (buffer.kind()) {
            case INPUT -> cells.input();
            case OUTPUT -> cells.output();
            case SCRATCH -> cells.scratch().get(buffer.index());
        };
    }

    private static List<Place> scratch(Schedule schedule, int pipeWindow) {
        List<Place> scratch = new ArrayList<>();
        for (Schedule.Scratch buffer : schedule.scratch()) {
            int length = (int) buffer.length();
            scratch.add(new Place(new int[buffer.pipe() ? Math.min(pipeWindow, length) : length], 0));
        }
        return scratch;
    }
}
