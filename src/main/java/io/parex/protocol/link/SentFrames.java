package io.parex.protocol.link;

import io.parex.protocol.wire.WireLimits;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Numbered frames that the other side has not acknowledged, oldest first, and which of them the present connection has
 * still to carry again. Owner loop only.
 */
final class SentFrames {
    private final Deque<Outgoing> written = new ArrayDeque<>();
    private final Deque<Outgoing> again = new ArrayDeque<>();
    private long nextNumber = 1;
    private long acknowledged;
    private long bytes;

    /** Payload bytes not acknowledged. */
    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return written.isEmpty() && again.isEmpty();
    }

    /** Gives a new frame its number. */
    void add(Outgoing frame) {
        frame.numbered(nextNumber++);
        bytes += frame.length();
        written.add(frame);
    }

    /** The connection is gone: everything goes again, from the oldest. */
    void rewind() {
        while (!written.isEmpty()) {
            again.addFirst(written.removeLast());
        }
    }

    /** The next frame that has to be carried again; null if there is none. */
    Outgoing nextAgain() {
        Outgoing frame = again.poll();
        if (frame != null) {
            written.add(frame);
        }
        return frame;
    }

    /** Number of the next new frame. */
    long next() {
        return nextNumber;
    }

    /** Number of the oldest frame that can still be sent again. */
    long oldest() {
        return acknowledged + 1;
    }

    /** Whether a position of the other side can be true. */
    boolean isPossible(Position position) {
        if (position.frames() < acknowledged || position.frames() >= nextNumber) {
            return false;
        }
        if (position.bytes() == 0) {
            return true;
        }
        if (position.bytes() % WireLimits.UNIT_BYTES != 0) {
            return false;
        }
        Outgoing partly = find(position.frames() + 1);
        return partly != null && partly.isData() && position.bytes() < partly.length();
    }

    private Outgoing find(long number) {
        return Stream.concat(written.stream(), again.stream())
                .filter(frame -> frame.number() == number)
                .findFirst()
                .orElse(null);
    }

    /** The other side has consumed the frames up to {@code frames}; {@code forgotten} is told of each, in order. */
    void acknowledge(long frames, Consumer<Outgoing> forgotten) {
        acknowledged = Math.max(acknowledged, frames);
        forget(written, frames, forgotten);
        forget(again, frames, forgotten);
    }

    private void forget(Deque<Outgoing> deque, long frames, Consumer<Outgoing> forgotten) {
        while (!deque.isEmpty() && deque.element().number() <= frames) {
            Outgoing frame = deque.remove();
            bytes -= frame.length();
            frame.settle();
            forgotten.accept(frame);
        }
    }

    /** Runs {@code task} on every frame, oldest first. */
    void each(Consumer<Outgoing> task) {
        written.forEach(task);
        again.forEach(task);
    }

    /** Forgets everything. */
    void clear() {
        acknowledge(nextNumber - 1, frame -> {});
    }
}
