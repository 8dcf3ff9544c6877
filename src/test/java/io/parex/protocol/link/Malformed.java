package io.parex.protocol.link;

import io.parex.protocol.wire.FrameEncoder;
import io.parex.protocol.wire.LinkFrame;
import io.parex.protocol.wire.Stamp;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Bytes that are whole and break the protocol. */
final class Malformed {
    private Malformed() {}

    /** A RESUME, for a connection that has had one. */
    static byte[] secondResume() {
        byte[] room = new byte[100];
        LinkFrame resume = new LinkFrame.Resume(0, 0);
        return Arrays.copyOf(room, FrameEncoder.encode(resume, new Stamp(0, 0, 0, 0), MemorySegment.ofArray(room), 0));
    }
}
