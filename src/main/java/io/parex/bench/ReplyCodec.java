package io.parex.bench;

import io.parex.ErrorKind;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** {@link Reply replies} as bytes. */
final class ReplyCodec {
    private static final int DONE = 1;
    private static final int NUMBER = 2;
    private static final int NAME = 3;
    private static final int OPENED = 4;
    private static final int TIMES = 5;
    private static final int FAILED = 6;

    private ReplyCodec() {}

    static void write(OutputStream to, Reply reply) throws IOException {
        Packets.write(to, out -> fields(out, reply));
    }

    private static void fields(DataOutputStream out, Reply reply) throws IOException {
        switch (reply) {
            case Reply.Done _ -> out.writeByte(DONE);
            case Reply.Number number -> {
                out.writeByte(NUMBER);
                out.writeLong(number.value());
            }
            case Reply.Name name -> {
                out.writeByte(NAME);
                out.writeUTF(name.value());
            }
            case Reply.Opened opened -> {
                out.writeByte(OPENED);
                traits(out, opened.traits());
            }
            case Reply.Times times -> {
                out.writeByte(TIMES);
                ByteBuffer bytes = ByteBuffer.allocate(times.nanos().length * Long.BYTES);
                bytes.asLongBuffer().put(times.nanos());
                out.write(bytes.array());
            }
            case Reply.Failed failed -> {
                out.writeByte(FAILED);
                out.writeByte(failed.kind().ordinal());
                out.write(failed.text().getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private static void traits(DataOutputStream out, Traits traits) throws IOException {
        out.writeInt(traits.callers());
        out.writeInt(traits.callsPerExchange());
        out.writeBoolean(traits.repeatable());
        out.writeBoolean(traits.inPlace());
        out.writeBoolean(traits.synchronising());
    }

    /** Reads a reply; null if the stream ends before it. */
    static Reply read(InputStream from) throws IOException {
        DataInputStream in = Packets.read(from);
        if (in == null) {
            return null;
        }
        int code = in.readUnsignedByte();
        return switch (code) {
            case DONE -> new Reply.Done();
            case NUMBER -> new Reply.Number(in.readLong());
            case NAME -> new Reply.Name(in.readUTF());
            case OPENED ->
                new Reply.Opened(
                        new Traits(in.readInt(), in.readInt(), in.readBoolean(), in.readBoolean(), in.readBoolean()));
            case TIMES -> {
                long[] nanos = new long[in.available() / Long.BYTES];
                ByteBuffer.wrap(in.readAllBytes()).asLongBuffer().get(nanos);
                yield new Reply.Times(nanos);
            }
            case FAILED -> {
                ErrorKind kind = ErrorKind.values()[in.readUnsignedByte()];
                yield new Reply.Failed(kind, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
            default -> throw Packets.unknown(code);
        };
    }
}
