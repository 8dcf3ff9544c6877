package io.parex.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** A line of a terminal that is written over: for people who wait, while results go elsewhere. */
final class TerminalLine {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter terminal;

    TerminalLine(PrintWriter terminal) {
        this.terminal = terminal;
    }

    /** Whether standard error is a terminal; the JDK tells only whether input and output both are. */
    static boolean isStandardError() {
        try {
            String target = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return false; // another system, or closed
        }
    }

    /** Shows {@code text} in place of what was shown before. */
    void show(String text) {
        terminal.print(CLEAR + text);
        terminal.flush();
    }
}
