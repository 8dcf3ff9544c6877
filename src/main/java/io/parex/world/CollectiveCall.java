package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.schedule.Schedule;
import io.parex.tensor.Reductions;

/**
 * One collective call on one rank, from its number to its end. It has ended for the caller when all steps are done, or,
 * after a failure, when every peer has returned what was lent. Owner loop only.
 */
final class CollectiveCall implements Operation, Wire {
    private final GroupCore group;
    private final long number;
    private final Call call;
    private final Descriptor descriptor;
    private final Submission submission;
    private final boolean[] agreed;
    private final Inquiry inquiry;
    private Buffers buffers;
    private ScheduleRunner runner;
    private Failure failure;
    private boolean ended;
    private long lastPeerNanos;

    CollectiveCall(GroupCore group, long number, Submission submission, Descriptor descriptor) {
        this.group = group;
        this.number = number;
        this.submission = submission;
        this.call = submission.call();
        this.descriptor = descriptor;
        this.agreed = new boolean[group.size()];
        this.inquiry = new Inquiry(this, group, submission.deadlineNanos());
    }

    long number() {
        return number;
    }

    Descriptor descriptor() {
        return descriptor;
    }

    Submission submission() {
        return submission;
    }

    Search search() {
        return inquiry.search();
    }

    /** Takes memory and begins; a lack of memory fails the call on all members. */
    void start(Schedule schedule) {
        try {
            Reducing reducing = call.op() == null ? null : reducing();
            int partialWidth = reducing == null ? valueWidth() : reducing.width(true);
            buffers = new Buffers(
                    call.input(), output(), partialWidth, schedule, group.core().pool());
            StreamGates gates = new StreamGates(call.input(), output());
            runner = new ScheduleRunner(group.core().loop(), schedule, buffers, reducing, gates, this, this::completed);
        } catch (ParexException e) {
            group.failed(number, new Failure(e.kind(), group.rank(), e.getMessage()));
            return;
        }
        followStreams();
        inquiry.start();
        runner.start();
    }

    private Reducing reducing() {
        return new Reducing(call.input().type(), Reductions.of(call.input().type(), call.op(), group.size()));
    }

    private TensorStream output() {
        return call.output();
    }

    private int valueWidth() {
        return call.shape() == null ? 1 : call.shape().type().bytes();
    }

    private void followStreams() {
        if (call.input() != null && call.input().written() < call.input().byteSize()) {
            call.input().onWritten(() -> group.core().loop().execute(runner::inputGrew));
        }
        if (output() != null && !output().isWhole()) {
            output().onConsumed(() -> group.core().loop().execute(runner::outputDrained));
        }
    }

    /** A peer has announced a transfer of this call; its descriptor was compared and is equal. */
    void attach(int peer, Frame.Open open, InTransfer transfer) {
        heardOf(peer);
        if (failure != null || !runner.attach(peer, open.ordinal(), transfer)) {
            transfer.drop();
            return;
        }
        if (!descriptor.primitive().synchronising() && !transfer.waitsForGrant()) {
            group.send(peer, new Frame.Opened(group.id(), number));
        }
    }

    /** A peer takes the first {@code bytes} bytes of a transfer, so it has made this call. */
    void granted(int peer, int ordinal, long bytes) {
        heardOf(peer);
        if (failure == null) {
            runner.granted(peer, ordinal, bytes);
        }
    }

    /** A peer is known to have made this call with an equal descriptor. */
    void heardOf(int peer) {
        if (!agreed[peer]) {
            agreed[peer] = true;
            lastPeerNanos = group.core().loop().nanoTime();
            if (runner != null && failure == null) {
                runner.lookForEnd();
            }
        }
    }

    /** Whether a peer is known to have made this call. */
    boolean hasHeardOf(int peer) {
        return agreed[peer];
    }

    /** Whether the call waits for others, and not only for what it has lent. */
    boolean isWaiting() {
        return failure == null;
    }

    /** When the call began. */
    long startNanos() {
        return inquiry.startNanos();
    }

    /** Group ranks without which this call cannot go on. */
    int[] awaited() {
        return runner == null ? new int[0] : runner.awaited();
    }

    /** Those of {@link #awaited} for whom it waits now, the others being behind these. */
    int[] blockers() {
        return runner == null ? new int[0] : runner.blockers();
    }

    @Override
    public OutTransfer open(int peer, int ordinal, long bytes, ByteSpace source, Runnable onProgress) {
        Peer target = group.peer(peer);
        long eager = target.takeEager(bytes);
        OutTransfer transfer = target.newOut(bytes, eager, source, false, () -> {
            onProgress.run();
            endIfReturned();
        });
        target.send(new Frame.Open(group.id(), number, ordinal, transfer.id(), descriptor, bytes, eager));
        return transfer;
    }

    @Override
    public void grant(int peer, int ordinal, long bytes) {
        group.send(peer, new Frame.Grant(group.id(), number, ordinal, descriptor, bytes));
    }

    @Override
    public long takeLookAhead(int peer, long bytes) {
        return group.peer(peer).takeLookAhead(bytes);
    }

    @Override
    public void returnLookAhead(int peer, long bytes) {
        group.peer(peer).returnLookAhead(bytes);
    }

    /**
     * The completion of a synchronising call depends on every member anyway, so a send of it needs no word of
     * agreement.
     */
    @Override
    public boolean agreed(int peer) {
        return agreed[peer] || descriptor.primitive().synchronising();
    }

    @Override
    public void fail(ErrorKind kind, String text) {
        group.failed(number, new Failure(kind, group.rank(), text));
    }

    /** Every member hears of the failure; here the call ends as soon as nothing of it is lent. */
    void failedWith(Failure cause) {
        if (ended || failure != null) {
            return;
        }
        failure = cause;
        inquiry.stop();
        if (runner != null) {
            runner.stop();
            runner.incoming().forEach(InTransfer::drop);
            for (OutTransfer transfer : runner.outgoing()) {
                transfer.withdraw(cause);
            }
        }
        endIfReturned();
    }

    private void endIfReturned() {
        if (failure == null
                || ended
                || runner != null && runner.outgoing().stream().anyMatch(OutTransfer::isLent)) {
            return;
        }
        end();
        group.ended(this, failure);
        submission.fail(failure.kind(), group.describe(number, descriptor, failure));
    }

    private void completed() {
        end();
        group.ended(this, null);
        long count = output() != null ? output().count() : 0;
        submission.complete(Completion.ofCollective(count));
    }

    private void end() {
        ended = true;
        inquiry.stop();
        if (buffers != null) {
            buffers.release();
        }
    }

    /** Time from the submission until the last member that this rank needed had called. */
    long waitNanos() {
        return Math.max(0, lastPeerNanos - submission.submittedNanos());
    }
}
