package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.wire.FrameListener;
import io.parex.protocol.wire.FrameReader;
import io.parex.protocol.wire.Header;
import io.parex.protocol.wire.LinkFrame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The frames in bytes that a link has written, in words. */
final class FrameTape implements FrameListener {
    final List<String> words = new ArrayList<>();
    final List<Header> headers = new ArrayList<>();
    private final FrameReader reader = new FrameReader(this);

    static List<String> of(byte[] bytes) {
        return new FrameTape().read(bytes).words;
    }

    FrameTape read(byte[] bytes) {
        reader.feed(MemorySegment.ofArray(bytes));
        return this;
    }

    @Override
    public void onHeader(Header header) {
        headers.add(header);
    }

    @Override
    public void onControl(Header header, Frame frame) {
        words.add(header.number() + " " + frame);
    }

    @Override
    public void onLink(Header header, LinkFrame frame) {
        words.add(header.number() == 0 ? frame.toString() : header.number() + " " + frame);
    }

    @Override
    public void onData(Header header, long transfer, long offset, MemorySegment piece, boolean last) {
        if (last) {
            words.add(header.number() + " data " + transfer + " to " + (offset + piece.byteSize()));
        }
    }

    @Override
    public void onVoid(Header header, long transfer, long offset) {
        words.add(header.number() + " void " + transfer + " at " + offset);
    }

    @Override
    public void onSkipped(Header header) {
        words.add(header.number() + " skipped");
    }
}
