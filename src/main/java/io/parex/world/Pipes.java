package io.parex.world;

import io.parex.schedule.Edge;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import java.util.List;

/** Makes the writer of a scratch buffer that is only a window wait until its reader has freed the place to write. */
final class Pipes {
    private Pipes() {}

    /** Adds, for every pipe of {@code schedule}, the wait of its writer for its reader. */
    static void join(Schedule schedule, List<StepRun> steps, Buffers buffers) {
        int[] writers = new int[schedule.scratch().size()];
        int[] readers = new int[schedule.scratch().size()];
        for (int index = 0; index < steps.size(); index++) {
            Step step = schedule.steps().get(index);
            if (step instanceof Step.Send send) {
                note(send.source(), index, readers);
            } else {
                note(target(step), index, writers);
            }
        }
        for (int i = 0; i < schedule.scratch().size(); i++) {
            long window = buffers.scratchElements(i);
            if (schedule.scratch().get(i).pipe()
                    && window < schedule.scratch().get(i).length()) {
                steps.get(writers[i]).waitFor(steps.get(readers[i]), new Edge(readers[i], writers[i], window, false));
            }
        }
    }

    private static void note(Slice slice, int index, int[] users) {
        if (slice.buffer().isScratch()) {
            users[slice.buffer().index()] = index;
        }
    }

    private static Slice target(Step step) {
        return switch (step) {
            case Step.Send send -> throw new IllegalArgumentException("a send has no target");
            case Step.Recv recv -> recv.target();
            case Step.RecvReduce recv -> recv.target();
            case Step.Reduce reduce -> reduce.target();
            case Step.Copy copy -> copy.target();
        };
    }
}
