package io.parex.world;

import io.parex.ParexException;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Bytes on their way to a peer. Sends what is both available and allowed: the eager part as copies, the rest lent,
 * piece by piece, as the receiver grants. Owner loop only.
 */
final class OutTransfer {
    private final Peer peer;
    private final long id;
    private final long bytes;
    private final ByteSpace source;
    private final boolean confirmed;
    private final Runnable onProgress;
    private Consumer<Failure> onRefused = failure -> {};

    private long allowed;
    private long available;
    private long sent;
    private long lentEnd;
    private long acknowledged;
    private long returned;
    private boolean withdrawn;

    /**
     * A transfer registered with its peer by {@link Peer#newOut}.
     *
     * @param eager bytes that may be sent without a grant: all or none
     * @param confirmed whether it is done only when the receiver has said that it took everything
     * @param onProgress runs when more of the source is free again
     */
    OutTransfer(Peer peer, long id, long bytes, long eager, ByteSpace source, boolean confirmed, Runnable onProgress) {
        this.peer = peer;
        this.id = id;
        this.bytes = bytes;
        this.allowed = eager;
        this.source = source;
        this.confirmed = confirmed;
        this.onProgress = onProgress;
    }

    long id() {
        return id;
    }

    long bytes() {
        return bytes;
    }

    /** Runs if the receiver does not take the transfer. */
    void onRefused(Consumer<Failure> listener) {
        onRefused = listener;
    }

    /** The receiver does not take the transfer, or no more of it. */
    void refused(Failure failure) {
        onRefused.accept(failure);
    }

    /** The first {@code limit} bytes of the source may be read from now on. */
    void available(long limit) {
        if (limit > available) {
            available = limit;
            pump();
        }
    }

    /** The receiver takes the first {@code limit} bytes. */
    void allow(long limit) {
        if (limit > allowed) {
            allowed = limit;
            pump();
        }
    }

    /** A receive has matched the message: as {@link #allow}, and what goes as a copy is free at once. */
    void accepted(long limit) {
        allow(limit);
        onProgress.run();
    }

    /** Bytes of the source, from the first, to which nobody refers any more. */
    long released() {
        return isLent() ? Math.max(acknowledged, returned) : sent;
    }

    boolean isDone() {
        return released() == bytes && (!confirmed || isConsumed());
    }

    /** The receiver has consumed the first {@code limit} bytes, or lets go of all. */
    void acknowledge(long limit) {
        if (limit > acknowledged) {
            acknowledged = limit;
            progressed();
        }
    }

    /** The link has brought the first {@code limit} bytes over and does not refer to them any more. */
    void returned(long limit) {
        if (limit > returned) {
            returned = limit;
            progressed();
        }
    }

    private void progressed() {
        if (!withdrawn) {
            pump();
        } else if (isLetGo()) {
            peer.forgetOut(id);
        }
        onProgress.run();
    }

    /** The receiver is gone: nothing more is sent, and what was lent is free. */
    void lost() {
        withdrawn = true;
        acknowledge(Long.MAX_VALUE);
    }

    /**
     * Stops sending; {@code onProgress} runs when the receiver has returned what is lent.
     *
     * @return whether that has to be waited for, else the source is free at once
     */
    boolean withdraw(Failure failure) {
        if (isDone()) {
            return false;
        }
        withdrawn = true;
        peer.send(new Frame.Withdraw(id, failure));
        return !isLetGo();
    }

    /** Whether it is known, of a withdrawn transfer, that nobody refers to the source and what the receiver has. */
    boolean isLetGo() {
        return !isLent() && (!confirmed || acknowledged >= bytes);
    }

    /** Whether the receiver has said that it consumed everything; a withdrawn transfer that is only let go was not. */
    boolean isConsumed() {
        return acknowledged == bytes;
    }

    /** Whether the receiver or the link may still refer to the source. */
    boolean isLent() {
        return Math.max(acknowledged, returned) < lentEnd;
    }

    private void pump() {
        if (withdrawn) {
            return;
        }
        long limit = Math.min(available, allowed);
        while (sent < limit && sent - Math.max(acknowledged, returned) < Limits.LENT_WINDOW_BYTES) {
            Payload piece = payload(Math.min(limit - sent, Limits.SEGMENT_BYTES));
            long size = piece.segment().byteSize();
            peer.send(new Frame.Data(id, sent, piece, sent + size == bytes));
            sent += size;
            peer.countOut(size);
        }
        forgetIfDone();
    }

    private void forgetIfDone() {
        if (isDone()) {
            peer.forgetOut(id);
        }
    }

    /**
     * The next {@code limit} bytes, or the first of them. Copies what is small enough, so that its sender need not
     * wait; lends the rest, also where there is no room for a copy.
     */
    private Payload payload(long limit) {
        if (bytes <= Limits.EAGER_BYTES) {
            try {
                return Payload.copied(copy(peer.pool().acquire(limit)));
            } catch (ParexException poolIsFull) {
                // Lending instead only makes the sender wait for the receiver.
            }
        }
        MemorySegment piece = source.at(sent, limit);
        lentEnd = sent + piece.byteSize();
        return Payload.lent(piece);
    }

    /** Fills a buffer, also from a source whose memory is in many places. */
    private PooledBuffer copy(PooledBuffer buffer) {
        long filled = 0;
        while (filled < buffer.byteSize()) {
            MemorySegment piece = source.at(sent + filled, buffer.byteSize() - filled);
            MemorySegment.copy(piece, 0, buffer.segment(), filled, piece.byteSize());
            filled += piece.byteSize();
        }
        return buffer;
    }
}
