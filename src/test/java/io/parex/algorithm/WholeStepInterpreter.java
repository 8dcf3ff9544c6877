package io.parex.algorithm;

import io.parex.schedule.Buffer;
import io.parex.schedule.Edge;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongBinaryOperator;

/** Runs schedules on real numbers, whole steps one after the other: nothing of the validator's. */
final class WholeStepInterpreter {
    private record Rank(Schedule schedule, long[] input, long[] output, List<long[]> scratch, boolean[] over) {}

    private record Message(int from, int to, int ordinal) {}

    private final LongBinaryOperator operation;
    private final List<Rank> ranks = new ArrayList<>();
    private final Map<Message, long[]> wire = new HashMap<>();

    WholeStepInterpreter(LongBinaryOperator operation) {
        this.operation = operation;
    }

    /** Adds the next rank; the output is the input iff {@code inPlace}. */
    void add(Schedule schedule, long[] input, boolean inPlace) {
        List<long[]> scratch = new ArrayList<>();
        schedule.scratch().forEach(buffer -> scratch.add(new long[(int) buffer.length()]));
        long[] output = inPlace ? input : new long[input.length];
        boolean[] over = new boolean[schedule.steps().size()];
        ranks.add(new Rank(schedule, input, output, scratch, over));
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
        for (Rank rank : ranks) {
            for (boolean over : rank.over()) {
                if (!over) {
                    throw new AssertionError("stuck: " + rank.schedule());
                }
            }
        }
        return ranks.stream().map(Rank::output).toList();
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
        return Arrays.copyOfRange(cells(rank, slice.buffer()), (int) slice.offset(), (int) slice.end());
    }

    private static void write(Rank rank, Slice slice, long[] values) {
        System.arraycopy(values, 0, cells(rank, slice.buffer()), (int) slice.offset(), values.length);
    }

    private static long[] cells(Rank rank, Buffer buffer) {
        return switch (buffer.kind()) {
            case INPUT -> rank.input();
            case OUTPUT -> rank.output();
            case SCRATCH -> rank.scratch().get(buffer.index());
        };
    }
}
