package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.transport.OwnerLoop;

/**
 * One message to a peer. Up to the eager limit it is copied and done when sent, as long as the peer's credit lasts;
 * above, it is announced, waits for the receive that takes it, and is done when the receiver has all of it. Owner loop
 * only.
 */
final class SendOp implements Operation {
    private final GroupCore group;
    private final Submission submission;
    private final Call call;
    private final PartEnd end;
    private final long ticket;
    private OwnerLoop.Timer deadline;
    private OutTransfer transfer;
    private boolean over;
    private Failure failure;

    SendOp(GroupCore group, Submission submission, PartEnd end, long ticket) {
        this.group = group;
        this.submission = submission;
        this.call = submission.call();
        this.end = end;
        this.ticket = ticket;
    }

    int destination() {
        return call.destination();
    }

    void start() {
        OwnerLoop loop = group.core().loop();
        group.peer(destination()).whenEnvelopeAllowed(this::offer);
        if (!over) {
            long left = Math.max(0, submission.deadlineNanos() - loop.nanoTime());
            deadline = loop.schedule(
                    left,
                    () -> fail(
                            ErrorKind.TIMEOUT,
                            "timed out after "
                                    + Durations.words(submission.deadlineNanos() - submission.submittedNanos()) + ": "
                                    + state()));
        }
    }

    private String state() {
        if (transfer == null) {
            return "too many messages to rank " + destination() + " wait for a receive there";
        }
        return transfer.released() == 0
                ? "rank " + destination() + " has posted no receive that takes it"
                : "rank " + destination() + " has taken " + transfer.released() + " of " + transfer.bytes() + " bytes";
    }

    /** Announces the message; false if it was ended while it waited for credit. */
    private boolean offer() {
        if (over) {
            return false;
        }
        Peer peer = group.peer(destination());
        TensorStream input = call.input();
        // Also where the caller has still to write it: that the message is small is what makes it eager.
        boolean there = input.written() == input.byteSize();
        long eager = peer.takeEager(input.byteSize());
        // A message that waits for its receive promises that it was received.
        boolean confirmed = input.byteSize() > Limits.EAGER_BYTES;
        transfer = peer.newOut(input.byteSize(), eager, input, confirmed, this::progressed);
        transfer.onRefused(cause -> fail(cause.kind(), "refused: " + cause.text()));
        peer.send(new Frame.Envelope(
                group.id(), call.sendTag(), ticket, transfer.id(), input.type(), input.count(), eager));
        if (!there) {
            input.onWritten(() -> group.core().loop().execute(this::inputGrew));
        }
        inputGrew();
        return true;
    }

    private void inputGrew() {
        if (!over && failure == null) {
            transfer.available(call.input().written());
            progressed();
        }
    }

    private void progressed() {
        if (over || transfer == null) {
            return;
        }
        if (failure != null) {
            if (transfer.isConsumed()) {
                // The receiver has had it all before it heard that this side gives up.
                complete();
            } else if (transfer.isLetGo()) {
                finish();
                end.failed(failure.kind(), describe(failure.text()));
            }
            return;
        }
        if (!call.input().isWhole() && transfer.released() > call.input().consumed()) {
            call.input().advanceConsumed(transfer.released() - call.input().consumed());
        }
        if (transfer.isDone()) {
            complete();
        }
    }

    private void complete() {
        finish();
        end.completed(new Completion(-1, -1, call.input().count()));
    }

    @Override
    public void fail(ErrorKind kind, String text) {
        if (over || failure != null) {
            return;
        }
        failure = new Failure(kind, group.rank(), text);
        if (transfer != null && transfer.withdraw(failure)) {
            return;
        }
        finish();
        end.failed(kind, describe(text));
    }

    private String describe(String text) {
        return text + " [" + call.primitive().label() + " of "
                + call.input().type().label() + " x " + call.input().count()
                + " from rank " + group.rank() + " to rank " + destination() + ", tag " + call.sendTag() + ", group "
                + group.name() + "]; nothing of the message counts as sent, the group can be used";
    }

    private void finish() {
        over = true;
        if (deadline != null) {
            deadline.cancel();
        }
        group.messages().ended(this);
    }
}
