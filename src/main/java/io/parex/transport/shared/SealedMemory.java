package io.parex.transport.shared;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Memory without a name that another process can be given. All of its pages are there from the start and its size can
 * never change, whoever holds it: a process that could shrink it would kill this one at its next access. It is gone
 * when the last process that holds it has let it go. Any thread.
 */
public final class SealedMemory implements AutoCloseable {
    private final Arena arena = Arena.ofShared();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final int fd;
    private final MemorySegment segment;

    @SuppressWarnings("restricted") // exactly the bytes that were mapped
    private SealedMemory(int fd, long bytes) throws Libc.CallFailed {
        this.fd = fd;
        long address = Libc.map(fd, bytes);
        segment = MemorySegment.ofAddress(address).reinterpret(bytes, arena, all -> Libc.unmap(address, bytes));
    }

    /**
     * Memory of {@code bytes}, all zero. Takes as long as the system needs to provide it: some 0.3 ms a MiB.
     *
     * @param name told by the system's tools
     * @throws ParexException of kind {@code overloaded} if the system does not give as much
     */
    public static SealedMemory create(String name, long bytes) {
        int fd = -1;
        try {
            fd = Libc.memory(name);
            Libc.allocate(fd, bytes);
            Libc.seal(fd);
            return new SealedMemory(fd, bytes);
        } catch (Libc.CallFailed e) {
            if (fd >= 0) {
                Libc.close(fd);
            }
            throw new ParexException(
                    ErrorKind.OVERLOADED,
                    "the system gives no " + bytes + " bytes of memory to share: " + e.getMessage(),
                    e);
        }
    }

    /** Its descriptor, for another process; open until {@link #close}. */
    int fd() {
        return fd;
    }

    /** All of it; of no use after {@link #close}. */
    public MemorySegment segment() {
        return segment;
    }

    /** Size in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }

    /** This process lets go of it; nothing may use the segment any more. Idempotent. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            Libc.close(fd);
            arena.close();
        }
    }
}
