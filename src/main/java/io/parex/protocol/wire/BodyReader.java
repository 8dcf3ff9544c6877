package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.IntFunction;

/** Reads the fields of a body one after the other, none beyond its end. */
final class BodyReader {
    /** Whose body it is; a text only if something is wrong. */
    private final Object what;

    private final MemorySegment from;
    private final long begin;
    private final long end;
    private long at;

    /** Reads the {@code bytes} bytes from {@code at} on. */
    BodyReader(Object what, MemorySegment from, long at, long bytes) {
        this.what = what;
        this.from = from;
        this.begin = at;
        this.end = at + bytes;
        this.at = at;
    }

    int u8(String field) {
        return Wire.u8(from, next(field, 1));
    }

    int u16(String field) {
        return Wire.u16(from, next(field, 2));
    }

    long i64(String field) {
        return Wire.i64(from, next(field, 8));
    }

    /** A 32 bit number that is at least {@code least}. */
    int i32(String field, int least) {
        int value = Wire.i32(from, next(field, 4));
        requireAtLeast(field, value, least, 4);
        return value;
    }

    /** A 64 bit number that is not negative: a count, a limit, a position. */
    long count(String field) {
        long value = i64(field);
        requireAtLeast(field, value, 0, 8);
        return value;
    }

    boolean flag(String field) {
        int value = u8(field);
        if (value > 1) {
            throw wrong(field, value + " is neither 0 nor 1", 1);
        }
        return value == 1;
    }

    /** The constant that a byte stands for. */
    <E> E constant(String field, IntFunction<E> table) {
        int code = u8(field);
        E constant = table.apply(code);
        if (constant == null) {
            throw wrong(field, code + " is unknown", 1);
        }
        return constant;
    }

    /** The constant that a byte stands for, null for 0. */
    <E> E constantOrNone(String field, IntFunction<E> table) {
        if (at < end && Wire.u8(from, at) == Codes.NONE) {
            at++;
            return null;
        }
        return constant(field, table);
    }

    /** A text of at most {@code limit} bytes. */
    String text(String field, int limit) {
        int length = u16(field);
        if (length > limit) {
            throw wrong(field, "has " + length + " bytes, more than " + limit, 2);
        }
        long start = next(field, length);
        byte[] bytes = new byte[length];
        MemorySegment.copy(from, ValueLayout.JAVA_BYTE, start, bytes, 0, length);
        String text = Utf8.text(bytes);
        if (text == null) {
            throw wrong(field, "is not UTF-8", length);
        }
        return text;
    }

    /** A text that is compared. */
    String name(String field) {
        return text(field, WireLimits.NAME_BYTES);
    }

    /** Refuses what is left over. */
    void end() {
        if (at != end) {
            throw wrong("end", "expected, " + (end - at) + " more bytes found", 0);
        }
    }

    /** The exception for the field just read, whose last {@code size} bytes are wrong. */
    WireException wrong(String field, String why, int size) {
        return new WireException(Kind.MALFORMED, what + ", byte " + (at - begin - size) + ": " + field + " " + why);
    }

    private long next(String field, int size) {
        if (size > end - at) {
            throw wrong(field, "needs " + size + " bytes, " + (end - at) + " are left", 0);
        }
        long start = at;
        at += size;
        return start;
    }

    private void requireAtLeast(String field, long value, long least, int size) {
        if (value < least) {
            throw wrong(field, value + " is less than " + least, size);
        }
    }
}
