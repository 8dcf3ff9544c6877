package io.parex.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The processes that this one has started, and those that they have started, {@linkplain Orphans orphans} included. */
final class Family {
    /** Nothing tells of the end of a process that is not a child: it has to be looked for. */
    private static final Duration LOOK = Duration.ofMillis(50);

    private Family() {}

    /**
     * Asks each to end, those that are started meanwhile too, until none runs or the time is over: then false. Leaves
     * alone those that {@code spared} names.
     */
    static boolean end(Consumer<ProcessHandle> ask, Duration limit, Predicate<ProcessHandle> spared) {
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        // Once: a process may be busy with ending.
        Set<ProcessHandle> asked = new HashSet<>();
        for (List<ProcessHandle> running = running(spared); !running.isEmpty(); running = running(spared)) {
            if (System.nanoTime() > deadlineNanos || Thread.currentThread().isInterrupted()) {
                return false;
            }
            running.stream().filter(asked::add).forEach(ask);
            awaitOne(running.getFirst());
        }
        return true;
    }

    private static List<ProcessHandle> running(Predicate<ProcessHandle> spared) {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> !spared.test(process))
                .filter(Family::isRunning)
                .toList();
    }

    /** An orphan that has ended is listed as long as this process lives. */
    private static boolean isRunning(ProcessHandle process) {
        try {
            String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            // The name before the state may contain anything.
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return process.isAlive();
        }
    }

    private static void awaitOne(ProcessHandle process) {
        try {
            process.onExit().get(LOOK.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            // The next look tells.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
