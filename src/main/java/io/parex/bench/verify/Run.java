package io.parex.bench.verify;

import io.parex.ParexException;
import io.parex.world.CallOptions;
import io.parex.world.Completion;
import io.parex.world.LocalWorld;
import io.parex.world.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One check as it runs: {@link #start}, then {@link #end}, with others between them. */
abstract class Run {
    /** Far more than any call takes, so that one that never ends is a failure of its check and not of the run. */
    static final Duration LIMIT = Duration.ofSeconds(30);

    private final Check check;
    private final List<String> faults = new ArrayList<>();
    private boolean broken;

    Run(Check check) {
        this.check = check;
    }

    final Check check() {
        return check;
    }

    /** What is wrong, in words; nothing if the check holds. */
    final List<String> faults() {
        return faults;
    }

    /** Whether a call failed, after which the ranks may be out of step. */
    final boolean isBroken() {
        return broken;
    }

    final void fault(String text) {
        faults.add(text);
    }

    final void failed(int rank, ParexException failure) {
        broken = true;
        fault("rank " + rank + ": " + failure.kind().name().toLowerCase(Locale.ROOT) + ": " + failure.getMessage());
    }

    /** What the call says besides its arguments. */
    final CallOptions options() {
        return CallOptions.DEFAULT
                .withTimeout(LIMIT)
                .withAlgorithm(check.cell().isNamed() ? check.cell().algorithm() : null)
                .withDeterministic(check.form() == Form.DETERMINISTIC);
    }

    /** Waits for what a rank has started. */
    final void await(int rank, Work work) {
        try {
            ended(rank, work.await(LIMIT.multipliedBy(2)));
        } catch (ParexException e) {
            failed(rank, e);
        }
    }

    /** A call has ended well. */
    abstract void ended(int rank, Completion completion);

    /** Makes the call on all ranks. */
    abstract void start(LocalWorld world, Calls calls);

    /** Waits for the call, and looks at what it has left. */
    abstract void end();
}
