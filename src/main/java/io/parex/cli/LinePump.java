package io.parex.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/** Copies what a process writes, a line at a time, so that the lines of several processes do not mix. */
final class LinePump {
    /** A longer line comes in pieces: what a process writes must not fill the memory of this one. */
    private static final int MAX_LINE_BYTES = 64 << 10;

    private final String prefix;
    private final InputStream from;
    private final PrintStream to;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private boolean open;

    private final Predicate<String> shown;

    private LinePump(String prefix, InputStream from, PrintStream to, Predicate<String> shown) {
        this.prefix = prefix;
        this.from = from;
        this.to = to;
        this.shown = shown;
    }

    /** Copies until {@code from} ends, on a thread of its own. */
    static Thread start(String prefix, InputStream from, PrintStream to) {
        return start(prefix, from, to, line -> true);
    }

    /** As {@link #start(String, InputStream, PrintStream)}, but copies only the lines that are to be shown. */
    static Thread start(String prefix, InputStream from, PrintStream to, Predicate<String> shown) {
        LinePump pump = new LinePump(prefix, from, to, shown);
        return Thread.ofPlatform().daemon().name("output-" + prefix.strip()).start(pump::run);
    }

    private void run() {
        byte[] buffer = new byte[8192];
        try {
            for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                for (int i = 0; i < count; i++) {
                    add(buffer[i]);
                }
                to.flush();
            }
        } catch (IOException e) {
            // The process was ended by force; what it had written before has been copied.
        }
        endLine();
        to.flush();
    }

    private void add(byte next) {
        open = true;
        if (next == '\n') {
            endLine();
            return;
        }
        line.write(next);
        if (line.size() >= MAX_LINE_BYTES) {
            endLine();
        }
    }

    private void endLine() {
        if (!open) {
            return;
        }
        open = false;
        String text = line.toString(StandardCharsets.UTF_8);
        if (shown.test(text)) {
            write();
        }
        line.reset();
    }

    /** One call for the whole line: others write to the same stream. */
    private void write() {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(prefix.getBytes(StandardCharsets.UTF_8));
        whole.writeBytes(line.toByteArray());
        whole.write('\n');
        to.write(whole.toByteArray(), 0, whole.size());
    }
}
