package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;

/**
 * Writes the fields of a body one after the other. Refuses what {@link BodyReader} would refuse: a frame that the peer
 * cannot take would be sent again on each new connection.
 */
final class BodyWriter {
    private final String what;
    private final MemorySegment to;
    private final long begin;
    private long at;

    /** Writes into {@code to} from {@code at} on. */
    BodyWriter(String what, MemorySegment to, long at) {
        this.what = what;
        this.to = to;
        this.begin = at;
        this.at = at;
    }

    /** Only counts: the same code tells how long a body is and writes it. */
    static BodyWriter counting(String what) {
        return new BodyWriter(what, null, 0);
    }

    /** Bytes written so far. */
    int written() {
        return (int) (at - begin);
    }

    BodyWriter u8(int value) {
        if (to != null) {
            Wire.putU8(to, at, value);
        }
        at += 1;
        return this;
    }

    BodyWriter u16(int value) {
        if (to != null) {
            Wire.putU16(to, at, value);
        }
        at += 2;
        return this;
    }

    BodyWriter i32(int value) {
        if (to != null) {
            Wire.putI32(to, at, value);
        }
        at += 4;
        return this;
    }

    BodyWriter i64(long value) {
        if (to != null) {
            Wire.putI64(to, at, value);
        }
        at += 8;
        return this;
    }

    /** A 32 bit number that is at least {@code least}. */
    BodyWriter i32(String field, int value, int least) {
        requireAtLeast(field, value, least);
        return i32(value);
    }

    /** A 64 bit number that is not negative: a count, a limit, a position. */
    BodyWriter count(String field, long value) {
        requireAtLeast(field, value, 0);
        return i64(value);
    }

    /** A text that is compared, so nothing of it may be lost. */
    BodyWriter name(String field, String text) {
        return exactly(field, text, WireLimits.NAME_BYTES);
    }

    /** Where a process listens: too long, it is refused, never cut. */
    BodyWriter address(String text) {
        return exactly("address", text, WireLimits.ADDRESS_BYTES);
    }

    private BodyWriter exactly(String field, String text, int limit) {
        byte[] bytes = text.length() > limit ? null : Utf8.exactly(text);
        if (bytes == null || bytes.length > limit) {
            throw wrong(field, "of " + text.length() + " characters does not fit into " + limit + " bytes of UTF-8");
        }
        return bytes(bytes);
    }

    /** A text for people, cut to {@code limit} bytes. */
    BodyWriter text(String text, int limit) {
        return bytes(Utf8.cut(text, limit));
    }

    WireException wrong(String field, String why) {
        return new WireException(Kind.UNSENDABLE, what + ": " + field + " " + why);
    }

    private BodyWriter bytes(byte[] bytes) {
        u16(bytes.length);
        if (to != null) {
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, to, at, bytes.length);
        }
        at += bytes.length;
        return this;
    }

    private void requireAtLeast(String field, long value, long least) {
        if (value < least) {
            throw wrong(field, value + " is less than " + least);
        }
    }
}
