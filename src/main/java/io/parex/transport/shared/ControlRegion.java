package io.parex.transport.shared;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The layout of the memory that holds the rings of one client: a page of words, each on a cache line of its own, then
 * the submission ring, then the completion ring. PROTOCOL.md gives it to those who write clients.
 */
final class ControlRegion {
    /** "PAREXSM1", little endian: the layout below. */
    private static final long MAGIC = 0x314D_5358_4552_4150L;

    private static final long RING_BYTES = 1 << 20;
    private static final long PAGE_BYTES = 4096;
    private static final long LINE_BYTES = 64;
    private static final long BYTES = PAGE_BYTES + 2 * RING_BYTES;

    private static final long MAGIC_AT = 0;
    private static final long RING_BYTES_AT = 8;
    private static final long SUBMISSION_READ_AT = LINE_BYTES;
    private static final long SUBMISSION_WRITTEN_AT = 2 * LINE_BYTES;
    private static final long COMPLETION_READ_AT = 3 * LINE_BYTES;
    private static final long COMPLETION_WRITTEN_AT = 4 * LINE_BYTES;
    private static final long CLIENT_SLEEPS_AT = 5 * LINE_BYTES;
    private static final long RANK_SLEEPS_AT = 6 * LINE_BYTES;
    private static final long RANK_WANTS_ROOM_AT = 7 * LINE_BYTES;

    private final SealedMemory memory;
    private final RingReader submissions;
    private final RingWriter completions;
    private final Cursor clientSleeps;
    private final Cursor rankSleeps;
    private final Cursor rankWantsRoom;

    /** Memory of its own; closed with {@link #memory}. */
    ControlRegion(String name) {
        memory = SealedMemory.create(name, BYTES);
        MemorySegment all = memory.segment();
        all.set(ValueLayout.JAVA_LONG, RING_BYTES_AT, RING_BYTES);
        all.set(ValueLayout.JAVA_LONG, MAGIC_AT, MAGIC);
        submissions = new RingReader(
                all.asSlice(PAGE_BYTES, RING_BYTES),
                new Cursor(all, SUBMISSION_READ_AT),
                new Cursor(all, SUBMISSION_WRITTEN_AT));
        completions = new RingWriter(
                all.asSlice(PAGE_BYTES + RING_BYTES, RING_BYTES),
                new Cursor(all, COMPLETION_READ_AT),
                new Cursor(all, COMPLETION_WRITTEN_AT));
        clientSleeps = new Cursor(all, CLIENT_SLEEPS_AT);
        rankSleeps = new Cursor(all, RANK_SLEEPS_AT);
        rankWantsRoom = new Cursor(all, RANK_WANTS_ROOM_AT);
    }

    SealedMemory memory() {
        return memory;
    }

    RingReader submissions() {
        return submissions;
    }

    RingWriter completions() {
        return completions;
    }

    /** Whether the client sleeps and is to be woken; it is from now on. */
    boolean wakesClient() {
        // What was written before must be seen by a client that is just about to sleep, or its flag here.
        VarHandle.fullFence();
        return clientSleeps.get() != 0 && clientSleeps.exchange(0) != 0;
    }

    /** From now on the client rings when it has written. What it wrote before is to be looked for after this. */
    void rankSleeps(boolean sleeps) {
        rankSleeps.set(sleeps ? 1 : 0);
        VarHandle.fullFence();
    }

    /** From now on the client rings when it has read. What it read before is to be looked for after this. */
    void rankWantsRoom(boolean wants) {
        rankWantsRoom.set(wants ? 1 : 0);
        VarHandle.fullFence();
    }
}
