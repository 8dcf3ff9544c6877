package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Failure;

/**
 * A call on its way: what was asked, since when, until when, and the handle to complete. Completing tells the handle
 * and the observers exactly once. Owner loop only.
 */
final class Submission {
    private final RankCore core;
    private final GroupCore group;
    private final Call call;
    private final Plan plan;
    private final Work work;
    private final long submittedNanos;
    private final long deadlineNanos;
    private String algorithm = "direct";
    private long number = -1;
    private long waitNanos;
    private Failure givenUp;
    private int refusalsSeen;
    private boolean ended;

    /**
     * A call.
     *
     * @param group in the epoch in which the caller has called
     * @param plan null for point-to-point operations
     */
    Submission(GroupCore group, Call call, Plan plan, Work work, long submittedNanos, long timeoutNanos) {
        this.core = group.core();
        this.group = group;
        this.call = call;
        this.plan = plan;
        this.work = work;
        this.submittedNanos = submittedNanos;
        this.deadlineNanos = submittedNanos + timeoutNanos;
    }

    Call call() {
        return call;
    }

    Plan plan() {
        return plan;
    }

    GroupCore group() {
        return group;
    }

    Work work() {
        return work;
    }

    long submittedNanos() {
        return submittedNanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** What a collective has become. */
    void numbered(long callNumber, String chosen) {
        number = callNumber;
        algorithm = chosen;
    }

    /** How many refusals the caller can have known of when it called. */
    void sawRefusals(int count) {
        refusalsSeen = count;
    }

    int refusalsSeen() {
        return refusalsSeen;
    }

    /** The call takes its number, but only to fail. */
    void giveUp(Failure failure) {
        givenUp = failure;
    }

    /** Why the call is not made; null if it is. */
    Failure givenUp() {
        return givenUp;
    }

    void waited(long nanos) {
        waitNanos = nanos;
    }

    void complete(Completion completion) {
        if (endsNow(null)) {
            work.complete(completion);
        }
    }

    /** Ends the call without a number: nothing was started. */
    void refuse(ErrorKind kind, String text) {
        work.markRefused();
        fail(ParexException.refused(kind, text));
    }

    /** Ends the call with a failure, unless it has ended. */
    void fail(ErrorKind kind, String text) {
        fail(new ParexException(kind, text));
    }

    private void fail(ParexException failure) {
        if (endsNow(failure.kind())) {
            work.fail(failure);
        }
    }

    /**
     * Ends the call after an exception in the middle of its start, such as one of a stream's listener. What has begun
     * to carry it out lets go of its memory first. A point-to-point call of which only a part was begun has nobody who
     * ends the other part, so it is ended here, mostly for the second time.
     */
    void broken(String text) {
        Operation begun = work.executor();
        if (begun != null) {
            begun.fail(ErrorKind.PROTOCOL, text);
        }
        if (begun == null || call.isPointToPoint()) {
            fail(ErrorKind.PROTOCOL, text);
        }
    }

    /** Counts the end, which must be once, as the number of operations in flight is a limit. */
    private boolean endsNow(ErrorKind outcome) {
        if (ended) {
            return false;
        }
        ended = true;
        core.ended(record(outcome));
        return true;
    }

    private CallRecord record(ErrorKind outcome) {
        TensorStream shape = call.shape();
        return new CallRecord(
                core.rank(),
                group.name(),
                number,
                call.primitive(),
                algorithm,
                shape == null ? null : shape.type(),
                call.op(),
                bytes(shape),
                group.size(),
                core.loop().nanoTime() - submittedNanos,
                waitNanos,
                outcome);
    }

    /** Of the whole tensor, also where this rank has only a block of it, if it knows. */
    private long bytes(TensorStream shape) {
        long whole = plan == null || shape == null
                ? 0
                : plan.descriptor().count() * shape.type().bytes();
        return Math.max(whole, call.bytes());
    }
}
