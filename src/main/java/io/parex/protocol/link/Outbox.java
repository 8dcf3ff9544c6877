package io.parex.protocol.link;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Frames that have no number yet, and which of them goes next: control first, so that it never waits behind tensors;
 * then the transfers in turn, one frame each. {@link Frame.Leave} and the close of the link promise that all that was
 * sent before still counts, so they let everything pass that was there before, and nothing that came after. Owner loop
 * only.
 */
final class Outbox {
    /** A frame behind one that lets nothing pass, or that one itself; the close has no frame but a reason. */
    private record Held(Frame frame, String closeReason) {
        boolean letsNothingPass() {
            return closeReason != null || frame instanceof Frame.Leave;
        }
    }

    private final int maxPayload;
    private final Deque<Outgoing> control = new ArrayDeque<>();
    private final Map<Long, Deque<DataSource>> transfers = new HashMap<>();
    private final Deque<Deque<DataSource>> turns = new ArrayDeque<>();
    private final Deque<Held> held = new ArrayDeque<>();

    /** An empty box that cuts data into frames of at most {@code maxPayload} bytes. */
    Outbox(int maxPayload) {
        this.maxPayload = maxPayload;
    }

    void add(Frame frame) {
        add(new Held(frame, null));
    }

    /** The last frame of the link. */
    void addClose(String reason) {
        add(new Held(null, reason));
    }

    private void add(Held item) {
        if (!held.isEmpty() || item.letsNothingPass()) {
            held.add(item);
        } else if (item.frame() instanceof Frame.Data data) {
            addData(data);
        } else {
            control.add(Outgoing.control(item.frame()));
        }
    }

    private void addData(Frame.Data data) {
        Deque<DataSource> pieces = transfers.computeIfAbsent(data.transfer(), any -> new ArrayDeque<>());
        if (pieces.isEmpty()) {
            turns.add(pieces);
        }
        pieces.add(new DataSource(data));
    }

    /** Whether the next frame is control, which no window holds back. */
    boolean isControlNext() {
        return !control.isEmpty() || turns.isEmpty();
    }

    boolean isEmpty() {
        return control.isEmpty() && turns.isEmpty() && held.isEmpty();
    }

    /** Takes the next frame; null if there is none. */
    Outgoing next() {
        if (!control.isEmpty()) {
            return control.remove();
        }
        return turns.isEmpty() ? nextHeld() : nextData();
    }

    private Outgoing nextHeld() {
        Held first = held.poll();
        if (first == null) {
            return null;
        }
        while (!held.isEmpty() && !held.element().letsNothingPass()) {
            Held item = held.remove();
            if (item.frame() instanceof Frame.Data data) {
                addData(data);
            } else {
                control.add(Outgoing.control(item.frame()));
            }
        }
        return first.closeReason() == null ? Outgoing.control(first.frame()) : Outgoing.close(first.closeReason());
    }

    private Outgoing nextData() {
        Deque<DataSource> pieces = turns.remove();
        DataSource source = pieces.element();
        MemorySegment cut = source.cut(maxPayload);
        Outgoing frame = Outgoing.data(source, cut, source.isCutUp() && source.isLast());
        if (source.isCutUp()) {
            pieces.remove();
        }
        if (pieces.isEmpty()) {
            transfers.remove(source.transfer());
        } else {
            turns.add(pieces);
        }
        return frame;
    }

    /** Forgets the data of a transfer that is not to be sent any more. */
    void drop(long transfer) {
        Deque<DataSource> pieces = transfers.remove(transfer);
        if (pieces != null) {
            // By identity: two queues that happen to be equal are not the same.
            turns.removeIf(each -> each == pieces);
            pieces.forEach(DataSource::dropRest);
        }
        dropHeld(data -> data.transfer() == transfer);
    }

    /** Forgets the data of all transfers. */
    void dropData() {
        turns.clear();
        transfers.values().forEach(pieces -> pieces.forEach(DataSource::dropRest));
        transfers.clear();
        dropHeld(data -> true);
    }

    private void dropHeld(Predicate<Frame.Data> which) {
        held.removeIf(item -> {
            boolean dropped = item.frame() instanceof Frame.Data data && which.test(data);
            if (dropped) {
                ((Frame.Data) item.frame()).payload().release();
            }
            return dropped;
        });
    }

    /** Forgets everything. */
    void dropAll() {
        dropData();
        control.clear();
        held.clear();
    }
}
