package io.parex.cli;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Keeps a job's processes in the family. A process whose parent has ended is given to the system's first process and is
 * nobody's descendant any more; Linux gives it to this process instead if asked to.
 */
final class Orphans {
    private static final int PR_SET_CHILD_SUBREAPER = 36;

    private Orphans() {}

    /** Asks for it, for all of this process. Where that cannot be asked, a job's orphans are left alone. */
    @SuppressWarnings("restricted") // the launcher allows native access
    static void adopt() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> prctl = linker.defaultLookup().find("prctl");
        if (prctl.isEmpty()) {
            return;
        }
        // int prctl(int option, ...), here with one unsigned long.
        FunctionDescriptor shape =
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
        MethodHandle call = linker.downcallHandle(prctl.get(), shape, Linker.Option.firstVariadicArg(1));
        try {
            int ignored = (int) call.invokeExact(PR_SET_CHILD_SUBREAPER, 1L);
        } catch (Throwable e) {
            throw new IllegalStateException("prctl could not be called", e);
        }
    }
}
