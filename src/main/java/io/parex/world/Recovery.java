package io.parex.world;

import io.parex.protocol.Failure;
import io.parex.transport.OwnerLoop;

/** A recovery that runs: its caller waits for all members. Owner loop only. */
final class Recovery {

    /** Who waits. */
    interface Ended {
        /** Either what the group is now, or why it is not recovered; the other is null. */
        void with(Recovered recovered, Failure failure);
    }

    private final Ended ended;
    private final OwnerLoop.Timer deadline;

    Recovery(Ended ended, OwnerLoop.Timer deadline) {
        this.ended = ended;
        this.deadline = deadline;
    }

    void stop() {
        deadline.cancel();
    }

    void succeed(Recovered recovered) {
        ended.with(recovered, null);
    }

    void fail(Failure failure) {
        ended.with(null, failure);
    }
}
