package io.parex.transport.shared;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.List;

/** The calls of Linux's C library that sealed memory is made with. Any thread. */
@SuppressWarnings("restricted") // the launcher allows native access
final class Libc {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final List<String> NAMES =
            List.of("memfd_create", "posix_fallocate", "fcntl", "mmap", "munmap", "close", "getuid");

    private static final int INTERRUPTED = 4;
    private static final int CLOSE_ON_EXEC_ALLOW_SEALING = 0x1 | 0x2;
    private static final int ADD_SEALS = 1033;
    private static final int SEAL_SEAL_SHRINK_GROW = 0x1 | 0x2 | 0x4;
    private static final int READ_WRITE = 0x1 | 0x2;
    private static final int SHARED_POPULATED = 0x1 | 0x8000;
    private static final long MAP_FAILED = -1;

    private Libc() {}

    /** Handles are looked up when they are first needed: elsewhere than on Linux there are none. */
    private static final class Calls {
        static final MethodHandle MEMFD_CREATE = of("memfd_create", FunctionDescriptor.of(INT, ADDRESS, INT));
        static final MethodHandle FALLOCATE = of("posix_fallocate", FunctionDescriptor.of(INT, INT, LONG, LONG));
        static final MethodHandle FCNTL =
                of("fcntl", FunctionDescriptor.of(INT, INT, INT, INT), Linker.Option.firstVariadicArg(2));
        static final MethodHandle MMAP = of("mmap", FunctionDescriptor.of(ADDRESS, ADDRESS, LONG, INT, INT, INT, LONG));
        static final MethodHandle MUNMAP = of("munmap", FunctionDescriptor.of(INT, ADDRESS, LONG));
        static final MethodHandle CLOSE = of("close", FunctionDescriptor.of(INT, INT));
        static final MethodHandle GETUID = of("getuid", FunctionDescriptor.of(INT));

        private static MethodHandle of(String name, FunctionDescriptor shape, Linker.Option... more) {
            Linker linker = Linker.nativeLinker();
            Linker.Option[] options = new Linker.Option[more.length + 1];
            System.arraycopy(more, 0, options, 1, more.length);
            options[0] = Linker.Option.captureCallState("errno");
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape, options);
        }
    }

    /** A call of the C library that failed, and how. */
    static final class CallFailed extends Exception {
        private static final long serialVersionUID = 1L;

        CallFailed(String call, int errno) {
            super(call + " failed with error number " + errno);
        }
    }

    /** Whether this system has all of them. */
    static boolean isComplete() {
        return System.getProperty("os.name").equals("Linux")
                && NAMES.stream()
                        .allMatch(name ->
                                Linker.nativeLinker().defaultLookup().find(name).isPresent());
    }

    /** A descriptor of new memory without a name in any file system, of no size, that may be sealed. */
    static int memory(String name) throws CallFailed {
        return call((arena, state) -> {
            MemorySegment text = arena.allocateFrom(name);
            int fd = (int) Calls.MEMFD_CREATE.invokeExact(state, text, CLOSE_ON_EXEC_ALLOW_SEALING);
            require(fd >= 0, "memfd_create", state);
            return fd;
        });
    }

    /** Gives the memory of {@code fd} its size, and pages for all of it. */
    static void allocate(int fd, long bytes) throws CallFailed {
        int error = call((arena, state) -> {
            int result;
            do {
                result = (int) Calls.FALLOCATE.invokeExact(state, fd, 0L, bytes);
            } while (result == INTERRUPTED);
            return result;
        });
        if (error != 0) {
            throw new CallFailed("posix_fallocate of " + bytes + " bytes", error);
        }
    }

    /** From now on nobody can change the size of the memory of {@code fd}, nor lift this. */
    static void seal(int fd) throws CallFailed {
        call((arena, state) -> {
            int result = (int) Calls.FCNTL.invokeExact(state, fd, ADD_SEALS, SEAL_SEAL_SHRINK_GROW);
            require(result == 0, "fcntl(F_ADD_SEALS)", state);
            return result;
        });
    }

    /** Address at which this process sees the memory of {@code fd}, all of it there. */
    static long map(int fd, long bytes) throws CallFailed {
        return call((arena, state) -> {
            MemorySegment address = (MemorySegment)
                    Calls.MMAP.invokeExact(state, MemorySegment.NULL, bytes, READ_WRITE, SHARED_POPULATED, fd, 0L);
            require(address.address() != MAP_FAILED, "mmap of " + bytes + " bytes", state);
            return address.address();
        });
    }

    /** This process sees the memory no more. */
    static void unmap(long address, long bytes) {
        sure((arena, state) -> (int) Calls.MUNMAP.invokeExact(state, MemorySegment.ofAddress(address), bytes));
    }

    /** Gives a descriptor back. */
    static void close(int fd) {
        sure((arena, state) -> (int) Calls.CLOSE.invokeExact(state, fd));
    }

    /** The user this process runs as. */
    static int user() {
        return sure((arena, state) -> (int) Calls.GETUID.invokeExact(state));
    }

    private interface Native<T> {
        T call(Arena arena, MemorySegment state) throws Throwable;
    }

    /** What a handle throws is nothing that the call throws; but its signature cannot say so. */
    private static <T> T call(Native<T> body) throws CallFailed {
        try (Arena arena = Arena.ofConfined()) {
            return body.call(arena, arena.allocate(STATE));
        } catch (RuntimeException | Error | CallFailed e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T sure(Native<T> body) {
        try {
            return call(body);
        } catch (CallFailed e) {
            throw new IllegalStateException(e);
        }
    }

    private static void require(boolean good, String call, MemorySegment state) throws CallFailed {
        if (!good) {
            throw new CallFailed(call, (int) ERRNO.get(state, 0L));
        }
    }
}
