package io.parex.schedule;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What can be seen of schedules without running them: form of each, and that the two ends of each message agree. */
final class ScheduleRules {
    private final WorldSchedules world;
    private final Checks checks;

    ScheduleRules(WorldSchedules world, Checks checks) {
        this.world = world;
        this.checks = checks;
    }

    /** Numbers the steps of schedules that keep all rules; the first broken rule is thrown. */
    StepTable check() {
        for (int rank = 0; rank < world.size(); rank++) {
            int expected = rank;
            Schedule schedule = world.ranks().get(rank);
            checks.test(
                    schedule.rank() == rank
                            && schedule.size() == world.size()
                            && world.problem(rank).rank() == rank
                            && schedule.primitive() == world.primitive().base(),
                    () -> "rank " + expected + " has the schedule of rank " + schedule.rank() + " of "
                            + schedule.size());
            checkSteps(schedule);
            checkEdges(schedule);
            checkPipes(schedule);
        }
        StepTable table = new StepTable(world);
        for (int id = 0; id < table.count(); id++) {
            if (table.isSend(id)) {
                checkMessage(table, id, table.partner(id));
            }
        }
        return table;
    }

    private void checkSteps(Schedule schedule) {
        Map<Integer, Integer> sends = new HashMap<>();
        Map<Integer, Integer> receives = new HashMap<>();
        for (Step step : schedule.steps()) {
            StepSlices.reads(step).forEach(slice -> checkSlice(schedule, step, slice));
            for (Slice target : StepSlices.writes(step)) {
                checkSlice(schedule, step, target);
                test(!target.buffer().equals(Buffer.INPUT), schedule, step, "writes the input");
            }
            switch (step) {
                case Step.Send send -> checkPeer(schedule, step, send.peer(), send.ordinal(), sends);
                case Step.Recv recv -> checkPeer(schedule, step, recv.peer(), recv.ordinal(), receives);
                case Step.RecvReduce recv -> checkPeer(schedule, step, recv.peer(), recv.ordinal(), receives);
                case Step.Reduce reduce -> {}
                case Step.Copy copy -> {}
            }
        }
    }

    private void checkSlice(Schedule schedule, Step step, Slice slice) {
        Buffer buffer = slice.buffer();
        boolean known =
                !buffer.isScratch() || buffer.index() < schedule.scratch().size();
        test(known, schedule, step, "names an unknown buffer");
        test(slice.end() <= world.length(schedule.rank(), buffer), schedule, step, "runs over the end of a buffer");
        test(slice.length() == step.length(), schedule, step, "has slices of different lengths");
    }

    private void checkPeer(Schedule schedule, Step step, int peer, int ordinal, Map<Integer, Integer> counters) {
        test(peer >= 0 && peer < world.size() && peer != schedule.rank(), schedule, step, "has no such peer");
        int expected = counters.merge(peer, 1, Integer::sum) - 1;
        test(ordinal == expected, schedule, step, "has the wrong number");
    }

    private void checkEdges(Schedule schedule) {
        int last = 0;
        for (Edge edge : schedule.edges()) {
            boolean forward = edge.from() >= 0
                    && edge.from() < edge.to()
                    && edge.to() < schedule.steps().size();
            checks.test(
                    forward,
                    () -> "rank " + schedule.rank() + ": " + edge + " does not lead from an earlier to a later step");
            boolean sorted = edge.to() >= last;
            checks.test(sorted, () -> "rank " + schedule.rank() + ": " + edge + " is out of order");
            last = edge.to();
        }
    }

    private void checkPipes(Schedule schedule) {
        List<Long> lengths =
                schedule.scratch().stream().map(Schedule.Scratch::length).toList();
        boolean[] pipes = PipeRule.pipes(schedule.steps(), lengths);
        for (int index = 0; index < pipes.length; index++) {
            Buffer buffer = Buffer.scratch(index);
            boolean good = pipes[index] || !schedule.scratch().get(index).pipe();
            checks.test(
                    good,
                    () -> "rank " + schedule.rank() + ": " + buffer
                            + " is marked a pipe, but not written once and sent once, whole");
        }
    }

    private void checkMessage(StepTable table, int send, int receive) {
        Supplier<String> ends = () -> table.describe(send) + " meets " + table.describe(receive);
        checks.test(
                table.step(send).length() == table.step(receive).length(), () -> ends.get() + ", of another length");
        boolean reducing = world.primitive().reducing();
        boolean partial = reducing && table.source(send).buffer().isScratch();
        boolean expected = switch (table.step(receive)) {
            case Step.RecvReduce recv -> recv.partial();
            case Step.Recv recv -> recv.partial();
            default -> throw new AssertionError(ends.get());
        };
        checks.test(
                partial == expected,
                () -> ends.get() + ", which expects " + form(expected) + " and gets " + form(partial));
    }

    private void test(boolean good, Schedule schedule, Step step, String fault) {
        checks.test(good, () -> "rank " + schedule.rank() + ": " + StepText.of(step) + " " + fault);
    }

    private static String form(boolean partial) {
        return partial ? "partials" : "values";
    }
}
