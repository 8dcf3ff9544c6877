package io.parex.algorithm;

import io.parex.schedule.Aliasing;
import io.parex.schedule.Buffer;
import io.parex.schedule.Edge;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import io.parex.schedule.WorldSchedules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/** Runs schedules on real numbers, whole steps one after the other: nothing of the validator's. */
final class WholeStepInterpreter {

    /** A buffer: the cells of an array from {@code base} on. */
    private record Cells(long[] array, int base) {}

    private record Rank(Schedule schedule, Cells input, Cells output, List<Cells> scratch, boolean[] over) {}

    private record Message(int from, int to, int ordinal) {}

    private final LongBinaryOperator operation;
    private final WorldSchedules world;
    private final List<Rank> ranks = new ArrayList<>();
    private final Map<Message, long[]> wire = new HashMap<>();

    /**
     * A run.
     *
     * @param inputs by rank
     */
    WholeStepInterpreter(WorldSchedules world, List<long[]> inputs, LongBinaryOperator operation) {
        this.world = world;
        this.operation = operation;
        for (int rank = 0; rank < world.size(); rank++) {
            add(world.ranks().get(rank), world.problems().get(rank), inputs.get(rank));
        }
    }

    private void add(Schedule schedule, Problem problem, long[] values) {
        Aliasing aliasing = problem.aliasing();
        int inputBase = (int) Math.max(0, -aliasing.shift());
        int outputBase = (int) Math.max(0, aliasing.shift());
        int outputEnd = outputBase + (int) problem.outputLength();
        long[] memory = new long[Math.max(inputBase + values.length, outputEnd)];
        System.arraycopy(values, 0, memory, inputBase, values.length);
        long[] output = aliasing.inPlace() ? memory : new long[outputEnd];
        List<Cells> scratch = new ArrayList<>();
        schedule.scratch().forEach(buffer -> scratch.add(new Cells(new long[(int) buffer.length()], 0)));
        boolean[] over = new boolean[schedule.steps().size()];
        ranks.add(new Rank(schedule, new Cells(memory, inputBase), new Cells(output, outputBase), scratch, over));
    }

    /** Runs all steps and returns each rank's output. */
    List<long[]> run() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Rank rank : ranks) {
                for (int index = 0; index < rank.over().length; index++) {
                    moved |= !rank.over()[index] && ready(rank, index) && execute(rank, index);
                }
            }
        }
        List<long[]> outputs = new ArrayList<>();
        for (Rank rank : ranks) {
            for (boolean over : rank.over()) {
                if (!over) {
                    throw new AssertionError("stuck: " + rank.schedule());
                }
            }
            long length = world.problems().get(rank.schedule().rank()).outputLength();
            outputs.add(read(rank, new Slice(Buffer.OUTPUT, 0, length)));
        }
        return outputs;
    }

    private static boolean ready(Rank rank, int index) {
        for (Edge edge : rank.schedule().edges()) {
            if (edge.to() == index && !rank.over()[edge.from()]) {
                return false;
            }
        }
        return true;
    }

    private boolean execute(Rank rank, int index) {
        int self = rank.schedule().rank();
        switch (rank.schedule().steps().get(index)) {
            case Step.Send send -> wire.put(new Message(self, send.peer(), send.ordinal()), read(rank, send.source()));
            case Step.Recv recv -> {
                long[] received = wire.remove(new Message(recv.peer(), self, recv.ordinal()));
                if (received == null) {
                    return false;
                }
                write(rank, recv.target(), received);
            }
            case Step.RecvReduce recv -> {
                long[] received = wire.remove(new Message(recv.peer(), self, recv.ordinal()));
                if (received == null) {
                    return false;
                }
                long[] own = read(rank, recv.own());
                write(rank, recv.target(), recv.ownFirst() ? combined(own, received) : combined(received, own));
            }
            case Step.Reduce reduce ->
                write(rank, reduce.target(), combined(read(rank, reduce.left()), read(rank, reduce.right())));
            case Step.Copy copy -> write(rank, copy.target(), read(rank, copy.source()));
        }
        rank.over()[index] = true;
        return true;
    }

    private long[] combined(long[] left, long[] right) {
        long[] result = new long[left.length];
        Arrays.setAll(result, element -> operation.applyAsLong(left[element], right[element]));
        return result;
    }

    private static long[] read(Rank rank, Slice slice) {
        Cells cells = cells(rank, slice.buffer());
        int from = cells.base() + (int) slice.offset();
        return Arrays.copyOfRange(cells.array(), from, from + (int) slice.length());
    }

    private static void write(Rank rank, Slice slice, long[] values) {
        Cells cells = cells(rank, slice.buffer());
        System.arraycopy(values, 0, cells.array(), cells.base() + (int) slice.offset(), values.length);
    }

    private static Cells cells(Rank rank, Buffer buffer) {
        return switch (buffer.kind()) {
            case INPUT -> rank.input();
            case OUTPUT -> rank.output();
            case SCRATCH -> rank.scratch().get(buffer.index());
        };
    }
}
