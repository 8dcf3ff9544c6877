package io.parex.protocol.wire;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts in bytes. */
final class Utf8 {
    private Utf8() {}

    /** The bytes of a text, cut to {@code limit} bytes between two characters. */
    static byte[] cut(String text, int limit) {
        // A character takes a byte at least, so what is beyond the limit in characters need not be looked at.
        int length = Math.min(text.length(), limit);
        if (length < text.length() && Character.isHighSurrogate(text.charAt(length - 1))) {
            length--;
        }
        byte[] bytes = text.substring(0, length).getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= limit) {
            return bytes;
        }
        int end = limit;
        while ((bytes[end] & 0xC0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    /** The bytes of a text; null if it has half a surrogate pair, which UTF-8 has no bytes for. */
    static byte[] exactly(String text) {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            return Arrays.copyOf(bytes.array(), bytes.limit());
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** The text of the bytes, null if they are not UTF-8. */
    static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
