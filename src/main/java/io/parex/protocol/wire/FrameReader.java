package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Finds the frames in the bytes of one connection, which come in segments of any size. Payload is passed on as it
 * arrives; kept is at most a control frame, a DATA frame with a checksum, or the beginning of a unit.
 *
 * <p>A frame that ends in the middle of a connection is gone on with by the reader of the next one:
 * {@link #deliveredBytes} says how much of its payload the listener has had, and the sender sends the rest.
 */
public final class FrameReader {
    /** What is waited for. */
    private enum Stage {
        /** The header. */
        HEADER,
        /** The body, which proves the header. */
        BODY,
        /** The payload and its checksum. */
        CHECKED_PAYLOAD,
        /** More of the payload. */
        PAYLOAD
    }

    private static final int HEAD = FrameEncoder.DATA_HEAD_BYTES;

    private final FrameListener listener;
    private final PayloadPieces payload;
    private final Assembly input = new Assembly();

    private Stage stage = Stage.HEADER;
    private Header header;
    private boolean stopped;

    public FrameReader(FrameListener listener) {
        this.listener = Objects.requireNonNull(listener);
        payload = new PayloadPieces(listener);
    }

    /**
     * Takes the next bytes of the connection: native memory or a byte array, not used after the call.
     *
     * @throws WireException if they are no frames; the reader stops
     */
    public void feed(MemorySegment bytes) {
        input.feed(bytes);
        boolean regular = false;
        try {
            while (!stopped && advance()) {}
            regular = true;
        } finally {
            stopped |= !regular;
            input.release();
        }
    }

    /** Nothing more is passed on, not even of the segment being fed. Idempotent. */
    public void stop() {
        stopped = true;
    }

    /**
     * Payload bytes of the current DATA frame that the listener has had, with those that its start leaves out; 0 if no
     * frame has begun on this connection.
     */
    public int deliveredBytes() {
        return stage == Stage.PAYLOAD || stage == Stage.CHECKED_PAYLOAD ? payload.delivered() : 0;
    }

    /** Answers whether there may be more to do. */
    private boolean advance() {
        return switch (stage) {
            case HEADER -> readHeader();
            case BODY -> readBody();
            case CHECKED_PAYLOAD -> readCheckedPayload();
            case PAYLOAD -> readPayload();
        };
    }

    private boolean readHeader() {
        MemorySegment bytes = input.first(WireLimits.HEADER_BYTES);
        if (bytes == null) {
            return false;
        }
        header = HeaderCodec.peek(bytes, 0);
        stage = Stage.BODY;
        return true;
    }

    private boolean readBody() {
        int size = WireLimits.HEADER_BYTES + header.bodyBytes();
        MemorySegment bytes = input.first(size);
        if (bytes == null) {
            return false;
        }
        HeaderCodec.verify(header, bytes, 0);
        if (header.type() == FrameType.DATA) {
            beginData(bytes);
        } else {
            deliver(bytes);
            input.consume(size);
            stage = Stage.HEADER;
        }
        return true;
    }

    private void deliver(MemorySegment bytes) {
        FrameType type = header.type();
        BodyReader body = new BodyReader(header, bytes, WireLimits.HEADER_BYTES, header.length());
        if (type == null) {
            if (announced()) {
                listener.onSkipped(header);
            }
        } else if (LinkFrameCodec.reads(type)) {
            LinkFrame frame = LinkFrameCodec.read(type, body);
            body.end();
            if (announced()) {
                listener.onLink(header, frame);
            }
        } else {
            Frame frame = FrameCodec.read(type, body);
            body.end();
            if (announced()) {
                listener.onControl(header, frame);
            }
        }
    }

    private void beginData(MemorySegment bytes) {
        BodyReader body = new BodyReader(header, bytes, WireLimits.HEADER_BYTES, WireLimits.DATA_BODY_BYTES);
        long transfer = body.count("transfer");
        long offset = body.count("offset");
        if (offset > Long.MAX_VALUE - WireLimits.PAYLOAD_BYTES) {
            throw body.wrong("offset", offset + " leaves no room for the payload", Long.BYTES);
        }
        payload.begin(header, transfer, offset);
        if (header.has(Header.PAYLOAD_CRC)) {
            stage = Stage.CHECKED_PAYLOAD;
            announced();
            return;
        }
        input.consume(HEAD);
        stage = header.has(Header.VOID) ? Stage.HEADER : Stage.PAYLOAD;
        if (announced() && header.has(Header.VOID)) {
            listener.onVoid(header, transfer, offset);
        }
    }

    /** Tells of the frame; answers whether the listener wants more. */
    private boolean announced() {
        listener.onHeader(header);
        return !stopped;
    }

    private boolean readCheckedPayload() {
        int end = HEAD + header.payloadBytes();
        MemorySegment bytes = input.first(end + WireLimits.PAYLOAD_CRC_BYTES);
        if (bytes == null) {
            return false;
        }
        MemorySegment content = bytes.asSlice(HEAD, header.payloadBytes());
        int sent = Wire.i32(bytes, end);
        int found = Checksum.of(content);
        if (sent != found) {
            throw new WireException(
                    Kind.DAMAGED,
                    "payload of " + header + ", " + header.payloadBytes() + " bytes from " + header.start()
                            + " on: CRC32C is " + Wire.hex(found) + ", the frame says " + Wire.hex(sent));
        }
        payload.deliverWhole(content);
        input.consume(end + WireLimits.PAYLOAD_CRC_BYTES);
        stage = Stage.HEADER;
        return true;
    }

    private boolean readPayload() {
        if (input.left() == 0 && header.payloadBytes() > 0) {
            return false;
        }
        payload.advance(input);
        if (payload.isDone()) {
            stage = Stage.HEADER;
        }
        return true;
    }
}
