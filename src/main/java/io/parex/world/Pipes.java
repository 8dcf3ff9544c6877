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
        for (int i = 0; i < schedule.scratch().size(); i++) {
            long window = buffers.scratchElements(i);
            if (schedule.scratch().get(i).pipe()
                    && window < schedule.scratch().get(i).length()) {
                int writer = -1;
                int reader = -1;
                for (int s = 0; s < steps.size(); s++) {
                    Step step = schedule.steps().get(s);
                    if (step instanceof Step.Send send && isScratch(send.source(), i)) {
                        reader = s;
                    } else if (isScratch(target(step), i)) {
                        writer = s;
                    }
                }
                steps.get(writer).waitFor(steps.get(reader), new Edge(reader, writer, window, false));
            }
        }
    }

    private static Slice target(Step step) {
        return switch (step) {
            case Step.Send send -> null;
            case Step.Recv recv -> recv.target();
            case Step.RecvReduce recv -> recv.target();
            case Step.Reduce reduce -> reduce.target();
            case Step.Copy copy -> copy.target();
        };
    }

    private static boolean isScratch(Slice slice, int index) {
        return slice != null && slice.buffer().isScratch() && slice.buffer().index() == index;
    }
}
