package io.parex.protocol.link;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Frames that have no number yet, and which of them goes next: control first, so that it never waits behind tensors;
 * then the transfers in turn, one frame each; last what says that nothing follows. Owner loop only.
 */
final class Outbox {
    private static final class TransferQueue {
        final Deque<DataSource> pieces = new ArrayDeque<>();
    }

    private final int maxPayload;
    private final Deque<Outgoing> control = new ArrayDeque<>();
    private final Deque<Outgoing> last = new ArrayDeque<>();
    private final Map<Long, TransferQueue> transfers = new HashMap<>();
    private final Deque<TransferQueue> turns = new ArrayDeque<>();

    /** An empty box that cuts data into frames of at most {@code maxPayload} bytes. */
    Outbox(int maxPayload) {
        this.maxPayload = maxPayload;
    }

    void add(Frame frame) {
        switch (frame) {
            case Frame.Data data -> addData(data);
            // It promises that all that was sent before still counts, so nothing may be overtaken by it.
            case Frame.Leave leave -> last.add(Outgoing.control(leave));
            default -> control.add(Outgoing.control(frame));
        }
    }

    /** The last frame of the link. */
    void addClose(String reason) {
        last.add(Outgoing.close(reason));
    }

    private void addData(Frame.Data data) {
        TransferQueue queue = transfers.get(data.transfer());
        if (queue == null) {
            queue = new TransferQueue();
            transfers.put(data.transfer(), queue);
        }
        if (queue.pieces.isEmpty()) {
            turns.add(queue);
        }
        queue.pieces.add(new DataSource(data));
    }

    /** Whether the next frame is control, which no window holds back. */
    boolean isControlNext() {
        return !control.isEmpty() || turns.isEmpty();
    }

    boolean isEmpty() {
        return control.isEmpty() && turns.isEmpty() && last.isEmpty();
    }

    /** Takes the next frame; null if there is none. */
    Outgoing next() {
        if (!control.isEmpty()) {
            return control.remove();
        }
        TransferQueue queue = turns.poll();
        if (queue == null) {
            return last.poll();
        }
        DataSource source = queue.pieces.element();
        MemorySegment cut = source.cut(maxPayload);
        Outgoing frame = Outgoing.data(source, cut, source.isCutUp() && source.isLast());
        if (source.isCutUp()) {
            queue.pieces.remove();
        }
        if (queue.pieces.isEmpty()) {
            transfers.remove(source.transfer());
        } else {
            turns.add(queue);
        }
        return frame;
    }

    /** Forgets the data of a transfer that is not to be sent any more. */
    void drop(long transfer) {
        TransferQueue queue = transfers.remove(transfer);
        if (queue != null) {
            turns.remove(queue);
            queue.pieces.forEach(DataSource::dropRest);
        }
    }

    /** Forgets everything. */
    void dropAll() {
        control.clear();
        last.clear();
        dropData();
    }

    /** Forgets the data of all transfers. */
    void dropData() {
        turns.clear();
        transfers.values().forEach(queue -> queue.pieces.forEach(DataSource::dropRest));
        transfers.clear();
    }
}
