package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Matcher;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The point-to-point messages of one group on one rank. Ranks are group ranks. Owner loop only. */
final class Messages {
    private final GroupCore group;
    private final Matcher<ReceiveOp, Arrived> matcher = new Matcher<>();
    private final Set<SendOp> sends = new LinkedHashSet<>();
    private final Set<ReceiveOp> receives = new LinkedHashSet<>();
    private final long[] tickets;

    /** A message that has arrived. */
    record Arrived(int source, Frame.Envelope envelope, InTransfer transfer, ReceiveOp[] matched) {
        ReceiveOp receiver() {
            return matched[0];
        }

        void matchedBy(ReceiveOp receive) {
            matched[0] = receive;
        }
    }

    Messages(GroupCore group) {
        this.group = group;
        tickets = new long[group.size()];
    }

    /** Starts a send; its parts are those of the call that send. */
    void send(Submission submission, PartEnd end) {
        Call call = submission.call();
        SendOp send = new SendOp(group, submission, end, tickets[call.destination()]++);
        sends.add(send);
        end.carriedOutBy(send);
        Failure gone = group.departures().of(call.destination());
        if (gone != null) {
            send.fail(gone.kind(), gone.text());
        } else {
            send.start();
        }
    }

    /** Posts a receive. */
    void receive(Submission submission, PartEnd end) {
        Call call = submission.call();
        ReceiveOp receive = new ReceiveOp(group, submission, end);
        receives.add(receive);
        end.carriedOutBy(receive);
        receive.start();
        Arrived message = matcher.post(call.source(), call.recvTag(), receive);
        if (message != null) {
            match(receive, message);
        }
        int source = message != null ? message.source() : call.source();
        // Also of a message that is here: what the receive would have to ask for does not come any more.
        if (source != ProcessGroup.ANY_SOURCE && group.departures().isGone(source) && receive.waitsFor(source)) {
            Failure gone = group.departures().of(source);
            receive.fail(gone.kind(), gone.text());
        }
    }

    void onEnvelope(int source, Frame.Envelope envelope) {
        InTransfer transfer = group.peer(source).incoming(envelope.transfer(), envelope.bytes(), envelope.eager());
        Arrived message = new Arrived(source, envelope, transfer, new ReceiveOp[1]);
        transfer.onWithdrawn(failure -> withdrawn(message, failure));
        ReceiveOp receive = matcher.arrive(source, envelope.tag(), message);
        if (receive != null) {
            match(receive, message);
        }
    }

    private void match(ReceiveOp receive, Arrived message) {
        group.peer(message.source()).returnEnvelope();
        message.matchedBy(receive);
        receive.matched(message);
    }

    /** The sender ends a message: matched, its receive fails; not matched, it was never there. */
    private void withdrawn(Arrived message, Failure failure) {
        if (message.receiver() != null) {
            message.receiver().senderFailed(failure);
        } else if (matcher.withdrawMessage(message.source(), message.envelope().tag(), message)) {
            group.peer(message.source()).returnEnvelope();
        }
    }

    /** The receive is no longer posted. */
    void unpost(ReceiveOp receive) {
        Call call = receive.call();
        matcher.withdrawReceive(call.source(), call.recvTag(), receive);
    }

    void ended(SendOp send) {
        sends.remove(send);
    }

    void ended(ReceiveOp receive) {
        receives.remove(receive);
    }

    /** A member is gone: what needs it fails, what it had sent before stays. */
    void left(int member, Failure failure) {
        for (SendOp send : List.copyOf(sends)) {
            if (send.destination() == member) {
                send.fail(failure.kind(), failure.text());
            }
        }
        for (ReceiveOp receive : List.copyOf(receives)) {
            if (receive.waitsFor(member)) {
                receive.fail(failure.kind(), failure.text());
            }
        }
    }

    void failAll(ErrorKind kind, String text) {
        List.copyOf(sends).forEach(send -> send.fail(kind, text));
        List.copyOf(receives).forEach(receive -> receive.fail(kind, text));
    }

    /** Lets go of the messages that no receive has taken; their senders hear why. */
    void dropUnexpected(Failure failure) {
        for (Arrived message : matcher.takeUnexpected()) {
            Peer peer = group.peer(message.source());
            message.transfer().drop();
            peer.returnEnvelope();
            peer.send(new Frame.Refuse(message.envelope().transfer(), failure));
        }
    }

    boolean isIdle() {
        return sends.isEmpty() && receives.isEmpty();
    }
}
