package io.parex.world;

import io.parex.schedule.Edge;
import java.util.ArrayList;
import java.util.List;

/**
 * One step of a running schedule: how far it is, how far it may go, and who waits for it. All counts are elements of
 * the step, from its first. Owner loop only.
 */
abstract class StepRun {
    /** No limit. */
    static final long ALL = Long.MAX_VALUE;

    private record Wait(StepRun earlier, long shift, boolean whole) {}

    private final List<Wait> waits = new ArrayList<>(2);
    private final List<StepRun> followers = new ArrayList<>(2);
    private final long length;
    private boolean queued;
    private boolean done;
    private boolean announced;

    StepRun(long length) {
        this.length = length;
    }

    final long length() {
        return length;
    }

    /** Makes this step wait for {@code earlier} as {@code edge} says. */
    final void waitFor(StepRun earlier, Edge edge) {
        waits.add(new Wait(earlier, edge.shift(), edge.whole()));
        earlier.followers.add(this);
    }

    final List<StepRun> followers() {
        return followers;
    }

    /** How far the earlier steps let this one go. */
    final long limit() {
        long limit = length;
        for (Wait wait : waits) {
            long done = wait.earlier.watermark();
            if (wait.whole) {
                limit = wait.earlier.isDone() ? limit : 0;
            } else if (done < wait.earlier.length) {
                limit = Math.min(limit, Math.max(0, done + wait.shift));
            }
        }
        return limit;
    }

    /** Whether every earlier step that this one waits for whole, or for all of its elements, is through. */
    final boolean mayEnd() {
        for (Wait wait : waits) {
            if (wait.whole && !wait.earlier.isDone()) {
                return false;
            }
        }
        return limit() == length;
    }

    /** Marks the step as about to be looked at; false if it was already. */
    final boolean markQueued() {
        boolean first = !queued;
        queued = true;
        return first;
    }

    final void unmarkQueued() {
        queued = false;
    }

    /** Elements through: of a send, those that the receiver has consumed; of others, those written. */
    abstract long watermark();

    /**
     * Whether nothing of the step is left. A step without elements passes on that the steps it waits for have ended.
     */
    final boolean isDone() {
        done = done || isThrough() && (length > 0 || mayEnd());
        return done;
    }

    /** Whether the step is done and this has not been asked since: its followers have to be looked at. */
    final boolean announceDone() {
        boolean first = !announced && isDone();
        announced |= first;
        return first;
    }

    /** Whether all elements of the step are through, and it has been agreed to by the peer where that is needed. */
    abstract boolean isThrough();

    /** The peer without whose next frame the step cannot go on; -1 if it has ended or something on this rank is due. */
    int awaitedPeer() {
        return -1;
    }

    /**
     * Works on as far as it can now.
     *
     * @return elements worked on, to bound a turn of the loop
     */
    abstract long advance();
}
