package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import io.parex.protocol.wire.FrameListener;
import io.parex.protocol.wire.FrameReader;
import io.parex.protocol.wire.FrameType;
import io.parex.protocol.wire.Header;
import io.parex.protocol.wire.LinkFrame;
import io.parex.protocol.wire.WireException;
import java.lang.foreign.MemorySegment;

/**
 * What arrives of a peer, and how far it has been consumed: each byte moves the position in the turn in which it is
 * handed on, so that it is never asked for again and never lost. Owner loop only.
 */
final class Inbound {

    /** Takes what has arrived; called in the order sent. */
    interface Listener {
        /** The peer has consumed up to a position, and from there the connection goes on. */
        void resume(Position position);

        /** The peer has consumed the frames up to {@code frames}. */
        void acknowledged(long frames);

        /** The position has moved by {@code bytes} of payload or by a frame. */
        void consumed(long bytes, boolean acknowledgeNow);

        /** A frame of the peer's rank. */
        void frame(Frame frame);

        /** The peer asks for a sign of life with this token. */
        void pinged(long token);

        /** The peer sends nothing more. */
        void closed(String reason);
    }

    private final Listener listener;
    private FrameReader reader;
    private boolean resumed;
    private boolean closed;
    private Position position = Position.START;

    Inbound(Listener listener) {
        this.listener = listener;
    }

    Position position() {
        return position;
    }

    /** The bytes from here on are those of another connection. */
    void newConnection() {
        resumed = false;
        reader = new FrameReader(new Frames());
    }

    /**
     * Takes bytes of the connection, valid during the call.
     *
     * @throws WireException if they are wrong; what came before them counts
     */
    void feed(MemorySegment bytes) {
        reader.feed(bytes);
    }

    /** The connection is over: nothing more of it is taken, not even of the bytes that are being taken. */
    void stop() {
        if (reader != null) {
            reader.stop();
        }
    }

    private void frameConsumed(Header header, long bytes) {
        position = new Position(header.number(), 0);
        listener.consumed(bytes, header.has(Header.ACK_NOW));
    }

    private final class Frames implements FrameListener {
        @Override
        public void onHeader(Header header) {
            if (header.number() != 0
                    && (header.number() != position.frames() + 1 || header.start() != position.bytes())) {
                throw broken(header + " from byte " + header.start() + " comes where frame " + (position.frames() + 1)
                        + " from byte " + position.bytes() + " should");
            }
            if (header.number() != 0 && closed) {
                throw broken(header + " comes after CLOSE");
            }
            boolean isResume = header.code() == FrameType.RESUME.code();
            if (isResume == resumed) {
                throw broken(header + (resumed ? " comes a second time" : " comes before RESUME"));
            }
            if (!isResume) {
                listener.acknowledged(header.ackFrame());
            }
        }

        @Override
        public void onControl(Header header, Frame frame) {
            frameConsumed(header, 0);
            listener.frame(frame);
        }

        @Override
        public void onLink(Header header, LinkFrame frame) {
            switch (frame) {
                case LinkFrame.Resume resume -> {
                    resumed = true;
                    listener.resume(new Position(resume.frame(), resume.bytes()));
                }
                case LinkFrame.Ping ping -> listener.pinged(ping.token());
                case LinkFrame.Pong pong -> {
                    // That something came is all that was wanted.
                }
                case LinkFrame.Ack ack -> {
                    // The header has said it.
                }
                case LinkFrame.Close close -> {
                    closed = true;
                    frameConsumed(header, 0);
                    listener.closed(close.reason());
                }
            }
        }

        @Override
        public void onData(Header header, long transfer, long offset, MemorySegment piece, boolean last) {
            long bytes = piece.byteSize();
            if (last) {
                frameConsumed(header, bytes);
            } else {
                position = new Position(position.frames(), position.bytes() + (int) bytes);
                listener.consumed(bytes, false);
            }
            listener.frame(new Frame.Data(transfer, offset, Payload.passing(piece), false));
        }

        @Override
        public void onVoid(Header header, long transfer, long offset) {
            frameConsumed(header, 0);
        }

        @Override
        public void onSkipped(Header header) {
            if (header.number() != 0) {
                frameConsumed(header, 0);
            }
        }
    }

    private static WireException broken(String what) {
        return new WireException(WireException.Kind.MALFORMED, what);
    }
}
