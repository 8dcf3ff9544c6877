package io.parex.world;

import io.parex.schedule.Step;
import io.parex.tensor.Operand;
import io.parex.tensor.Reduction;
import java.lang.foreign.MemorySegment;

/** A running {@link Step.Recv} or {@link Step.RecvReduce}. */
final class ReceiveRun extends StepRun {
    private final int peer;
    private final int ordinal;
    private final Region own;
    private final Region target;
    private final int wireWidth;
    private final boolean wirePartial;
    private final boolean receivedFirst;
    private final Reduction reduction;
    private final StreamGates gates;
    private InTransfer transfer;
    private long done;
    private long granted;
    private long reserved;
    private boolean grants;

    /**
     * Stores what arrives.
     *
     * @param reducing null for a call that reduces nothing
     */
    ReceiveRun(Step.Recv step, Region target, Reducing reducing, StreamGates gates) {
        super(step.length());
        peer = step.peer();
        ordinal = step.ordinal();
        own = null;
        this.target = target;
        wirePartial = step.partial();
        wireWidth = reducing == null ? target.width() : reducing.width(wirePartial);
        receivedFirst = false;
        reduction = reducing == null || wirePartial == target.partial() ? null : reducing.reduction();
        this.gates = gates;
    }

    /** Combines what arrives with {@code own}. */
    ReceiveRun(Step.RecvReduce step, Region own, Region target, Reducing reducing, StreamGates gates) {
        super(step.length());
        peer = step.peer();
        ordinal = step.ordinal();
        this.own = own;
        this.target = target;
        wirePartial = step.partial();
        wireWidth = reducing.width(wirePartial);
        receivedFirst = !step.ownFirst();
        reduction = reducing.reduction();
        this.gates = gates;
    }

    int peer() {
        return peer;
    }

    int ordinal() {
        return ordinal;
    }

    /** Bytes on the wire. */
    long bytes() {
        return length() * wireWidth;
    }

    /** Bytes of an element on the wire. */
    int wireWidth() {
        return wireWidth;
    }

    boolean isAttached() {
        return transfer != null;
    }

    /** The transfer that brings the data has been announced. */
    void attach(InTransfer announced, Runnable onArrival) {
        transfer = announced;
        transfer.onArrival(onArrival);
    }

    InTransfer transfer() {
        return transfer;
    }

    /**
     * Grants what can be consumed as it arrives, and as much beyond that as the peer's look-ahead allows, if that is
     * more than the peer knows of. From the first call on, every advance calls again.
     */
    void grant(Wire wire) {
        grants = true;
        long writable = Math.min(length(), gates.writable(target)) * wireWidth;
        long consumable = Math.min(writable, Math.min(limit(), own == null ? ALL : gates.readable(own)) * wireWidth);
        long ahead = Math.max(granted - consumable, 0);
        wire.returnLookAhead(peer, reserved - ahead);
        reserved = ahead;
        if (consumable >= granted) {
            long wanted = Math.min(writable - consumable, Limits.LOOK_AHEAD_BYTES);
            reserved = wire.takeLookAhead(peer, wanted);
            tell(wire, consumable + reserved);
        }
    }

    /** Tells the peer of more, but not of every little more while it has something left to send. */
    private void tell(Wire wire, long bytes) {
        boolean much = bytes - granted >= Limits.LOOK_AHEAD_BYTES / 4 || bytes == bytes();
        if (bytes > granted && (much || granted <= done * wireWidth + Limits.SEGMENT_BYTES)) {
            granted = bytes;
            wire.grant(peer, ordinal, bytes);
        }
    }

    /** Whether the peer waits for grants, so that more room means a new one. */
    boolean isGranted() {
        return grants;
    }

    /** Nothing more is granted. */
    void stop(Wire wire) {
        wire.returnLookAhead(peer, reserved);
        reserved = 0;
    }

    @Override
    long watermark() {
        return done;
    }

    @Override
    boolean isThrough() {
        return transfer != null && done == length();
    }

    @Override
    int awaitedPeer() {
        boolean free = length() == 0 ? mayEnd() : Math.min(limit(), gates.writable(target)) > done;
        return !isThrough() && free ? peer : -1;
    }

    @Override
    long advance() {
        if (transfer == null) {
            return 0;
        }
        long limit = Math.min(limit(), gates.writable(target));
        if (own != null) {
            limit = Math.min(limit, gates.readable(own));
        }
        long before = done;
        long turn = before + Limits.TURN_BYTES / Math.max(1, wireWidth);
        MemorySegment head;
        while (done < Math.min(limit, turn) && (head = transfer.head()) != null) {
            take(head, limit - done);
        }
        return done - before;
    }

    private void take(MemorySegment head, long limit) {
        long count = target.contiguous(done, Math.min(limit, head.byteSize() / wireWidth));
        if (own != null) {
            count = own.contiguous(done, count);
        }
        if (reduction == null) {
            MemorySegment.copy(head, 0, target.at(done, count), 0, count * wireWidth);
        } else if (own == null) {
            reduction.copy(new Operand(head, 0, wirePartial), target.operand(done, count), count);
        } else {
            Operand received = new Operand(head, 0, wirePartial);
            Operand mine = own.operand(done, count);
            reduction.combine(
                    receivedFirst ? received : mine,
                    receivedFirst ? mine : received,
                    target.operand(done, count),
                    count);
        }
        done += count;
        transfer.consume(count * wireWidth);
    }
}
