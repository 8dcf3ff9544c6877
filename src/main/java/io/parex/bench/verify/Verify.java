package io.parex.bench.verify;

import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.util.List;

/** Runs checks, on a world of each size. One run at a time; the calling thread blocks. */
public final class Verify implements AutoCloseable {
    /** Checks in flight together: what one costs is mostly waiting for threads to wake up. */
    private static final int TOGETHER = 32;

    private static final long TOGETHER_BYTES = 16L << 20;

    /** With scratch for algorithms that hold whole tensors of all ranks back. */
    private static final WorldOptions OPTIONS =
            WorldOptions.DEFAULT.withName("verify").withCopyPoolBytes(2L << 30);

    private final VerifyListener listener;
    private final Calls calls;
    private Batch running;
    private Batch next;
    private LocalWorld world;
    private long passed;
    private long failed;

    /** A run that tells {@code listener}. */
    public Verify(VerifyListener listener) {
        this(listener, new StandardCalls());
    }

    Verify(VerifyListener listener, Calls calls) {
        this.listener = listener;
        this.calls = calls;
        this.running = new Batch();
        this.next = new Batch();
    }

    /** Checks that held. */
    public long passed() {
        return passed;
    }

    /** Checks that did not. */
    public long failed() {
        return failed;
    }

    /**
     * Runs checks of one world. While some are made by the world, those before them are looked at, and those after them
     * prepared.
     */
    public void run(List<Check> checks) {
        int from = 0;
        while (from < checks.size()) {
            int to = endOfBatch(checks, from);
            listener.progress(passed + failed, checks.get(from));
            next.prepare(checks.subList(from, to));
            if (world == null) {
                world = LocalWorld.start(checks.getFirst().ranks(), OPTIONS);
            }
            next.start(world, calls);
            end();
            Batch ended = running;
            running = next;
            next = ended;
            from = to;
        }
        end();
        leave();
    }

    /** As many checks as go together, at least one. */
    private static int endOfBatch(List<Check> checks, int from) {
        long bytes = 0;
        int to = from;
        while (to < checks.size() && to - from < TOGETHER) {
            bytes += TensorRun.bytes(checks.get(to));
            if (to > from && bytes > TOGETHER_BYTES) {
                break;
            }
            to++;
        }
        return to;
    }

    /** Looks at the results of what runs, if anything does. */
    private void end() {
        List<Run> runs = running.end();
        runs.forEach(this::count);
        if (runs.stream().anyMatch(Run::isBroken)) {
            next.end().forEach(this::count);
            leave(); // the ranks may be out of step
        }
    }

    private void count(Run run) {
        if (run.faults().isEmpty()) {
            passed++;
        } else {
            failed++;
            listener.failed(run.check(), run.faults());
        }
    }

    private void leave() {
        if (world != null) {
            world.close();
            world = null;
        }
    }

    @Override
    public void close() {
        leave();
        running.close();
        next.close();
    }
}
