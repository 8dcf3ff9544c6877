package io.parex.schedule;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;

/** Test copies of good schedules with one thing changed. */
final class Mutations {

    private Mutations() {}

    /** The world with the schedule of one rank changed. */
    static WorldSchedules rank(WorldSchedules world, int rank, UnaryOperator<Schedule> change) {
        List<Schedule> ranks = new ArrayList<>(world.ranks());
        ranks.set(rank, change.apply(ranks.get(rank)));
        return new WorldSchedules(ranks, world.problems());
    }

    /** A fault of the author: one step becomes another, and everything is built anew. */
    static WorldSchedules step(WorldSchedules world, int rank, int index, UnaryOperator<Step> change) {
        return steps(world, rank, steps -> {
            steps.set(index, change.apply(steps.get(index)));
            return steps;
        });
    }

    /** A step with one of its slices, those read first, one element further on. */
    static Step moved(Step step, int slice) {
        return switch (step) {
            case Step.Send send -> new Step.Send(send.peer(), moved(send.source(), slice, 0), send.ordinal());
            case Step.Recv recv ->
                new Step.Recv(recv.peer(), moved(recv.target(), slice, 0), recv.partial(), recv.ordinal());
            case Step.RecvReduce recv ->
                new Step.RecvReduce(
                        recv.peer(),
                        moved(recv.own(), slice, 0),
                        moved(recv.target(), slice, 1),
                        recv.partial(),
                        recv.ownFirst(),
                        recv.ordinal());
            case Step.Reduce reduce ->
                new Step.Reduce(
                        moved(reduce.left(), slice, 0),
                        moved(reduce.right(), slice, 1),
                        moved(reduce.target(), slice, 2));
            case Step.Copy copy -> new Step.Copy(moved(copy.source(), slice, 0), moved(copy.target(), slice, 1));
        };
    }

    private static Slice moved(Slice slice, int wanted, int number) {
        return new Slice(slice.buffer(), slice.offset() + (wanted == number ? 1 : 0), slice.length());
    }

    /** A fault of the author: one step is missing. */
    static WorldSchedules withoutStep(WorldSchedules world, int rank, int index) {
        return steps(world, rank, steps -> {
            steps.remove(index);
            return steps;
        });
    }

    /** A fault of the author: two steps in the wrong order. */
    static WorldSchedules swapped(WorldSchedules world, int rank, int one, int other) {
        return steps(world, rank, steps -> {
            Collections.swap(steps, one, other);
            return steps;
        });
    }

    /** A fault of the builder: one edge is missing. */
    static WorldSchedules withoutEdge(WorldSchedules world, int rank, Edge edge) {
        return edges(world, rank, each -> each.equals(edge) ? null : each);
    }

    /** A fault of the builder: edges are changed, or left out where the change is null. */
    static WorldSchedules edges(WorldSchedules world, int rank, UnaryOperator<Edge> change) {
        return rank(world, rank, old -> {
            List<Edge> edges = old.edges().stream()
                    .map(change)
                    .filter(edge -> edge != null)
                    .toList();
            return new Schedule(
                    old.primitive(), old.algorithm(), old.rank(), old.size(), old.steps(), edges, old.scratch());
        });
    }

    /** A fault of the builder: all scratch buffers are marked pipes. */
    static WorldSchedules allPipes(WorldSchedules world, int rank) {
        return rank(world, rank, old -> {
            List<Schedule.Scratch> scratch = old.scratch().stream()
                    .map(each -> new Schedule.Scratch(each.length(), true))
                    .toList();
            return new Schedule(
                    old.primitive(), old.algorithm(), old.rank(), old.size(), old.steps(), old.edges(), scratch);
        });
    }

    private static WorldSchedules steps(WorldSchedules world, int rank, UnaryOperator<List<Step>> change) {
        return rank(world, rank, old -> {
            ScheduleBuilder builder = new ScheduleBuilder(old.algorithm(), world.problem(rank));
            old.scratch().forEach(scratch -> builder.scratch(scratch.length()));
            change.apply(new ArrayList<>(old.steps())).forEach(step -> add(builder, step));
            return builder.build();
        });
    }

    private static void add(ScheduleBuilder builder, Step step) {
        switch (step) {
            case Step.Send send -> builder.send(send.peer(), send.source());
            case Step.Recv recv -> builder.recv(recv.peer(), recv.target(), recv.partial());
            case Step.RecvReduce recv ->
                builder.recvReduce(recv.peer(), recv.own(), recv.target(), recv.partial(), recv.ownFirst());
            case Step.Reduce reduce -> builder.reduce(reduce.left(), reduce.right(), reduce.target());
            case Step.Copy copy -> builder.copy(copy.source(), copy.target());
        }
    }
}
