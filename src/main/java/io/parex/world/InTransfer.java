package io.parex.world;

import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * Bytes on their way from a peer: arrived pieces wait here until the operation consumes them, first to last. Consuming
 * returns lent memory and credit. Owner loop only.
 */
final class InTransfer {
    private static final Runnable NOBODY = () -> {};

    private final Peer peer;
    private final long id;
    private final long bytes;
    private final long eager;
    private final Deque<Payload> pieces = new ArrayDeque<>();

    private Runnable onArrival = NOBODY;
    private Consumer<Failure> onWithdrawn = failure -> {};
    private long arrived;
    private long consumed;
    private long headConsumed;
    private long told;
    private boolean dropped;

    InTransfer(Peer peer, long id, long bytes, long eager) {
        this.peer = peer;
        this.id = id;
        this.bytes = bytes;
        this.eager = eager;
    }

    Peer peer() {
        return peer;
    }

    long id() {
        return id;
    }

    long bytes() {
        return bytes;
    }

    boolean isDone() {
        return consumed == bytes;
    }

    /** Whether the sender needs a grant before it sends. */
    boolean waitsForGrant() {
        return eager < bytes;
    }

    /** Runs after each arrival from now on. */
    void onArrival(Runnable listener) {
        onArrival = listener;
    }

    /** Runs if the sender ends the transfer before it is complete. */
    void onWithdrawn(Consumer<Failure> listener) {
        onWithdrawn = listener;
    }

    /** The sender has ended the transfer. */
    void withdrawn(Failure failure) {
        drop();
        onWithdrawn.accept(failure);
    }

    /** A piece has come. */
    void arrive(long offset, Payload payload) {
        if (dropped) {
            payload.release();
            return;
        }
        if (offset != arrived || arrived + payload.segment().byteSize() > bytes) {
            throw new IllegalStateException("transfer " + id + " of " + bytes + " bytes from rank " + peer.rank() + ": "
                    + payload.segment().byteSize() + " bytes at " + offset + " after " + arrived);
        }
        arrived += payload.segment().byteSize();
        pieces.add(payload);
        onArrival.run();
        if (payload.isPassing() && pieces.peekLast() == payload) {
            keepLast();
        }
    }

    /** What is not consumed while a connection hands it over has to be copied. */
    private void keepLast() {
        Payload passing = pieces.removeLast();
        long from = pieces.isEmpty() ? headConsumed : 0;
        pieces.addLast(passing.kept(from, peer.arrivals()));
        if (pieces.size() == 1) {
            headConsumed = 0;
        }
    }

    /** What is left of the first piece; null if nothing has arrived that is not consumed. */
    MemorySegment head() {
        Payload head = pieces.peek();
        return head == null ? null : head.segment().asSlice(headConsumed);
    }

    /** The first {@code count} bytes of {@link #head} are no longer needed. */
    void consume(long count) {
        long eagerBefore = Math.min(eager, consumed);
        consumed += count;
        headConsumed += count;
        Payload head = pieces.peek();
        if (headConsumed == head.segment().byteSize()) {
            pieces.remove();
            headConsumed = 0;
            head.release();
            if (head.isLent()) {
                told = consumed;
                peer.send(new Frame.Released(id, consumed));
            }
        }
        peer.returnEager(Math.min(eager, consumed) - eagerBefore);
        if (isDone()) {
            peer.forgetIn(id);
        }
    }

    /** Tells the sender of a message that waited for its receive that all of it was received, if it does not know. */
    void confirm() {
        if (bytes > Limits.EAGER_BYTES && told < bytes) {
            peer.send(new Frame.Released(id, bytes));
        }
    }

    /** Lets go of everything that has arrived and whatever may still arrive. Idempotent. */
    void drop() {
        if (dropped || isDone()) {
            return;
        }
        dropped = true;
        pieces.forEach(Payload::release);
        pieces.clear();
        peer.returnEager(eager - Math.min(eager, consumed));
        peer.forgetIn(id);
    }
}
