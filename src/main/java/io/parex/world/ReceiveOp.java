package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.transport.OwnerLoop;
import java.lang.foreign.MemorySegment;

/** One posted receive, until its message is all there. Owner loop only. */
final class ReceiveOp implements Operation {
    private final GroupCore group;
    private final Submission submission;
    private final Call call;
    private final PartEnd end;
    private final TensorStream output;
    private OwnerLoop.Timer deadline;
    private Messages.Arrived message;
    private long stored;
    private long accepted;
    private boolean over;

    ReceiveOp(GroupCore group, Submission submission, PartEnd end) {
        this.group = group;
        this.submission = submission;
        this.call = submission.call();
        this.end = end;
        this.output = call.output();
    }

    Call call() {
        return call;
    }

    /** Begins to count the time. */
    void start() {
        OwnerLoop loop = group.core().loop();
        long left = Math.max(0, submission.deadlineNanos() - loop.nanoTime());
        deadline = loop.schedule(
                left,
                () -> fail(
                        ErrorKind.TIMEOUT,
                        "timed out after " + Durations.words(submission.deadlineNanos() - submission.submittedNanos())
                                + ": " + state()));
        if (!output.isWhole()) {
            output.onConsumed(() -> loop.execute(this::take));
        }
    }

    private String state() {
        return message == null
                ? "no message has come that matches"
                : stored + " of " + output.byteSize() + " bytes have come from rank " + message.source();
    }

    /** Whether nothing but a message of {@code member} can end this receive. */
    boolean waitsFor(int member) {
        return message == null
                ? call.source() == member
                : message.source() == member && !message.transfer().isDone();
    }

    /** The message that this receive takes; a message of another type or size is refused and nothing is written. */
    void matched(Messages.Arrived arrived) {
        message = arrived;
        submission.waited(group.core().loop().nanoTime() - submission.submittedNanos());
        Frame.Envelope envelope = arrived.envelope();
        if (envelope.type() != output.type() || envelope.count() != output.count()) {
            fail(
                    ErrorKind.MISMATCH,
                    "rank " + arrived.source() + " sends "
                            + envelope.type().label() + " x " + envelope.count() + ", rank " + group.rank()
                            + " receives "
                            + output.type().label() + " x " + output.count());
            return;
        }
        arrived.transfer().onArrival(this::take);
        take();
    }

    private void take() {
        if (over || message == null) {
            return;
        }
        InTransfer transfer = message.transfer();
        MemorySegment head;
        while (stored < output.writeLimit() && (head = transfer.head()) != null) {
            MemorySegment target = output.at(stored, Math.min(head.byteSize(), output.writeLimit() - stored));
            target.copyFrom(head.asSlice(0, target.byteSize()));
            stored += target.byteSize();
            transfer.consume(target.byteSize());
        }
        if (stored > output.written()) {
            output.advanceWritten(stored - output.written());
        }
        if (transfer.isDone()) {
            transfer.confirm();
            finish();
            end.completed(new Completion(message.source(), message.envelope().tag(), output.count()));
        } else if (transfer.waitsForGrant() && output.writeLimit() > accepted) {
            accepted = output.writeLimit();
            transfer.peer().send(new Frame.Accept(transfer.id(), accepted));
        }
    }

    /** The sender has ended the message. */
    void senderFailed(Failure cause) {
        end(cause.kind(), "the sender ended the message: " + cause.text());
    }

    @Override
    public void fail(ErrorKind kind, String text) {
        if (over) {
            return;
        }
        if (message == null) {
            group.messages().unpost(this);
        } else {
            InTransfer transfer = message.transfer();
            transfer.drop();
            transfer.peer().send(new Frame.Refuse(transfer.id(), new Failure(kind, group.rank(), text)));
        }
        end(kind, text);
    }

    private void end(ErrorKind kind, String text) {
        if (over) {
            return;
        }
        finish();
        end.failed(
                kind,
                text + " [" + call.primitive().label() + " of " + output.type().label() + " x "
                        + output.count() + " on rank " + group.rank() + " from "
                        + (call.source() == ProcessGroup.ANY_SOURCE ? "any rank" : "rank " + call.source()) + ", "
                        + (call.recvTag() == ProcessGroup.ANY_TAG ? "any tag" : "tag " + call.recvTag()) + ", group "
                        + group.name() + "]; "
                        + (stored == 0 ? "the buffer is unchanged" : "the buffer holds part of the message")
                        + ", the group can be used");
    }

    private void finish() {
        over = true;
        if (deadline != null) {
            deadline.cancel();
        }
        group.messages().ended(this);
    }
}
