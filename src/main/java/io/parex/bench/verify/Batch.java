package io.parex.bench.verify;

import io.parex.world.LocalWorld;
import java.util.ArrayList;
import java.util.List;

/** Checks that are in flight together. {@link #prepare}, {@link #start}, {@link #end}, and again. */
final class Batch implements AutoCloseable {
    private final Pad pad = new Pad();
    private final List<Run> runs = new ArrayList<>();

    /** Fills the tensors of {@code checks}; the world need not be there yet. */
    void prepare(List<Check> checks) {
        runs.clear();
        pad.reset(
                checks.stream().mapToLong(TensorRun::bytes).sum(),
                checks.stream().mapToInt(TensorRun::pieces).sum());
        for (Check check : checks) {
            runs.add(check.lengths().isEmpty() ? new BarrierRun(check) : new TensorRun(check, pad));
        }
    }

    /** Makes the calls. */
    void start(LocalWorld world, Calls calls) {
        runs.forEach(run -> run.start(world, calls));
    }

    /** Waits for the calls, and looks at what they have left: once, after which there is nothing to look at. */
    List<Run> end() {
        List<Run> ended = List.copyOf(runs);
        ended.forEach(Run::end);
        runs.clear();
        return ended;
    }

    @Override
    public void close() {
        pad.close();
    }
}
