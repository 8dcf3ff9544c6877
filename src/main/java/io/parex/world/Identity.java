package io.parex.world;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Numbers that all members of a group compute alike, and that two groups or epochs do not have in common. */
final class Identity {
    private Identity() {}

    /** Of numbers, in their order. */
    static long of(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES * numbers.length);
        bytes.asLongBuffer().put(numbers);
        return first(digest(), bytes);
    }

    /** Of a group in all its epochs. */
    static long of(String name, int[] members) {
        MessageDigest digest = digest();
        digest.update(name.getBytes(StandardCharsets.UTF_8));
        // Not in any name: names and members do not run together.
        digest.update((byte) 0);
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * members.length);
        bytes.asIntBuffer().put(members);
        return first(digest, bytes);
    }

    private static long first(MessageDigest digest, ByteBuffer bytes) {
        return ByteBuffer.wrap(digest.digest(bytes.array())).getLong();
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
