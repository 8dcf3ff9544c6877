package io.parex.protocol.link;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/** A connection whose bytes a test moves by hand. Memory written by reference is read when it is taken. */
final class HandCarrier implements Carrier {
    private static final class Piece {
        final MemorySegment bytes;
        final Runnable written;
        long taken;

        Piece(MemorySegment bytes, Runnable written) {
            this.bytes = bytes;
            this.written = written;
        }
    }

    private final Deque<Piece> pieces = new ArrayDeque<>();
    private final Deque<Runnable> notLetGo = new ArrayDeque<>();
    private HandCarrier other;
    private boolean started;
    private boolean closed;
    private boolean writable = true;
    private boolean clinging;
    private boolean ended;
    private int flushes;

    /** Says which is the other end. */
    void joinedTo(HandCarrier end) {
        other = end;
        end.other = this;
    }

    HandCarrier other() {
        return other;
    }

    @Override
    public void start() {
        started = true;
    }

    @Override
    public void write(MemorySegment bytes) {
        pieces.add(new Piece(MemorySegment.ofArray(bytes.toArray(ValueLayout.JAVA_BYTE)), null));
    }

    @Override
    public void write(MemorySegment bytes, Runnable written) {
        pieces.add(new Piece(bytes, written));
    }

    @Override
    public boolean isWritable() {
        return writable;
    }

    void writable(boolean now) {
        writable = now;
    }

    @Override
    public void flush() {
        flushes++;
    }

    int flushes() {
        return flushes;
    }

    @Override
    public void close() {
        closed = true;
    }

    boolean isStarted() {
        return started;
    }

    boolean isClosed() {
        return closed;
    }

    boolean hasEnded() {
        return ended;
    }

    /** From now on memory is referred to after its bytes were taken, until {@link #letGo}. */
    void cling() {
        clinging = true;
    }

    void letGo() {
        clinging = false;
        while (!notLetGo.isEmpty()) {
            notLetGo.remove().run();
        }
    }

    /** Bytes written and not taken. */
    int left() {
        return pieces.stream()
                .mapToInt(piece -> (int) (piece.bytes.byteSize() - piece.taken))
                .sum();
    }

    byte[] takeAll() {
        return take(Integer.MAX_VALUE);
    }

    /** The next bytes, at most {@code limit}; lets go of memory that has been taken whole. */
    byte[] take(int limit) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        while (!pieces.isEmpty() && bytes.size() < limit) {
            Piece piece = pieces.element();
            long count = Math.min(limit - bytes.size(), piece.bytes.byteSize() - piece.taken);
            bytes.writeBytes(piece.bytes.asSlice(piece.taken, count).toArray(ValueLayout.JAVA_BYTE));
            piece.taken += count;
            if (piece.taken == piece.bytes.byteSize()) {
                pieces.remove();
                if (piece.written != null) {
                    notLetGo.add(piece.written);
                }
            }
        }
        if (!clinging) {
            letGo();
        }
        return bytes.toByteArray();
    }

    /** Whether memory written by reference is referred to. */
    boolean isHeld() {
        return !notLetGo.isEmpty() || pieces.stream().anyMatch(piece -> piece.written != null);
    }

    /** The connection ends: lets go of everything, sent or not. */
    void end() {
        ended = true;
        while (!pieces.isEmpty()) {
            Piece piece = pieces.remove();
            if (piece.written != null) {
                notLetGo.add(piece.written);
            }
        }
        letGo();
    }
}
