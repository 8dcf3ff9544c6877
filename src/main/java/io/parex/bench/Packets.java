package io.parex.bench;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Orders and replies on the pipes between launcher and member: the length of what follows in four bytes, a code in one,
 * the fields. Big endian. Both ends are the same build, so there are no versions.
 */
final class Packets {
    /** The times of the longest batch, and some room. */
    private static final int MAX_BYTES = (Pace.MAX_CALLS + 1024) * Long.BYTES;

    private Packets() {}

    /** Writes fields. */
    interface Body {
        void writeTo(DataOutputStream out) throws IOException;
    }

    /** Writes one packet, whole, and flushes it. */
    static void write(OutputStream to, Body body) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        body.writeTo(new DataOutputStream(bytes));
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(bytes.size());
        bytes.writeTo(out);
        out.flush();
    }

    /**
     * Reads one packet; null if the stream ends before it.
     *
     * @throws IOException if it ends within, or is something else than packets
     */
    static DataInputStream read(InputStream from) throws IOException {
        int first = from.read();
        if (first < 0) {
            return null;
        }
        DataInputStream in = new DataInputStream(from);
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < 1 || length > MAX_BYTES) {
            throw new IOException("a packet of " + length + " bytes; there are 1 to " + MAX_BYTES);
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("a packet of " + length + " bytes ends after " + body.length);
        }
        return new DataInputStream(new ByteArrayInputStream(body));
    }

    /** A packet that no end sends. */
    static IOException unknown(int code) {
        return new IOException("a packet of unknown kind " + code);
    }
}
