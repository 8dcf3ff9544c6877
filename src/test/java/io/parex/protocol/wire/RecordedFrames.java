package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** What a reader has passed on, one event a frame however its payload was cut; checks the rules of the cuts. */
final class RecordedFrames implements FrameListener {
    /** A whole frame. */
    record Event(Header header, Object content) {}

    /** Payload bytes of a frame, in hexadecimal digits. */
    record Payload(long transfer, long offset, String bytes) {}

    /** A frame without payload. */
    record Gone(long transfer, long offset) {}

    private final List<Event> events = new ArrayList<>();
    private final ByteArrayOutputStream payload = new ByteArrayOutputStream();
    private Header current;
    private int pieces;

    List<Event> events() {
        return events;
    }

    List<Object> contents() {
        return events.stream().map(Event::content).toList();
    }

    /** Pieces of payload so far. */
    int pieces() {
        return pieces;
    }

    /** Payload bytes of a frame that has not ended. */
    int unfinishedBytes() {
        return payload.size();
    }

    @Override
    public void onHeader(Header header) {
        assertEquals(0, payload.size(), "the frame before has ended");
        current = header;
    }

    @Override
    public void onControl(Header header, Frame frame) {
        add(header, frame);
    }

    @Override
    public void onLink(Header header, LinkFrame frame) {
        add(header, frame);
    }

    @Override
    public void onData(Header header, long transfer, long offset, MemorySegment piece, boolean last) {
        assertSame(current, header);
        assertTrue(last || piece.byteSize() > 0, "only the last piece may be empty");
        assertTrue(last || piece.byteSize() % WireLimits.UNIT_BYTES == 0, "whole units but for the end");
        assertEquals(0, payload.size() % WireLimits.UNIT_BYTES);
        pieces++;
        payload.writeBytes(piece.toArray(ValueLayout.JAVA_BYTE));
        if (last) {
            byte[] bytes = payload.toByteArray();
            payload.reset();
            add(header, new Payload(transfer, offset + piece.byteSize() - bytes.length, Bytes.hex(bytes)));
        }
    }

    @Override
    public void onVoid(Header header, long transfer, long offset) {
        add(header, new Gone(transfer, offset));
    }

    @Override
    public void onSkipped(Header header) {
        add(header, "skipped");
    }

    private void add(Header header, Object content) {
        assertSame(current, header);
        events.add(new Event(header, content));
    }
}
