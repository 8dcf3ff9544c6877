package io.parex.world;

import io.parex.protocol.Failure;

/**
 * A call that completed here and failed elsewhere, which its caller has yet to hear: the next call is refused with it,
 * once, before it takes a number. Owner loop only, but for the count.
 */
final class LateFailure {
    private Failure failure;
    private long call;
    private volatile int refusals;

    /** A call that has completed here failed on another member. */
    void heard(long number, Failure heard) {
        failure = heard;
        call = number;
    }

    /** Whether the next call is to be refused. */
    boolean isDue() {
        return failure != null;
    }

    /** Tells of it in place of a new call on group {@code name}. */
    void refuse(Submission submission, int rank, String name) {
        Failure told = failure;
        failure = null;
        refusals++;
        submission.refuse(
                told.kind(),
                "call #" + call + " completed on rank " + rank + " but failed on rank " + told.origin() + ": "
                        + told.text() + "; the new "
                        + submission.call().primitive().label() + " on group " + name
                        + " was not started and may be called again");
    }

    /** Calls refused without a number so far. Any thread. */
    int refusals() {
        return refusals;
    }
}
