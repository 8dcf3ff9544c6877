package io.parex.world;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that have to end well together, and are ended in any case. */
final class Children {
    private Children() {}

    /**
     * Runs the commands at the same time.
     *
     * @param folder for what they say
     * @throws AssertionError if one fails, or has not ended within {@code limit}; none runs on
     */
    static void run(List<List<String>> commands, Path folder, Duration limit) {
        List<Process> processes = new ArrayList<>();
        try {
            for (int i = 0; i < commands.size(); i++) {
                processes.add(new ProcessBuilder(commands.get(i))
                        .redirectErrorStream(true)
                        .redirectOutput(said(folder, i).toFile())
                        .start());
            }
            long deadline = System.nanoTime() + limit.toNanos();
            for (int i = 0; i < commands.size(); i++) {
                if (!processes.get(i).waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    throw failure(commands.get(i), "has not ended within " + limit, said(folder, i));
                }
                if (processes.get(i).exitValue() != 0) {
                    throw failure(
                            commands.get(i), "ended with " + processes.get(i).exitValue(), said(folder, i));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } finally {
            processes.forEach(Process::destroyForcibly);
            processes.forEach(process -> process.onExit().join());
        }
    }

    private static AssertionError failure(List<String> command, String how, Path said) throws IOException {
        return new AssertionError(String.join(" ", command) + " " + how + "; it said: " + Files.readString(said));
    }

    private static Path said(Path folder, int index) {
        return folder.resolve("said." + index);
    }
}
