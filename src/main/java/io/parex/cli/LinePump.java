package io.parex.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Copies what a process writes, a line at a time, so that the lines of several processes do not mix. */
final class LinePump {
    /** A longer line comes in pieces: what a process writes must not fill the memory of this one. */
    private static final int MAX_LINE_BYTES = 64 << 10;

    private final byte[] prefix;
    private final InputStream from;
    private final PrintStream to;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private LinePump(String prefix, InputStream from, PrintStream to) {
        this.prefix = prefix.getBytes(StandardCharsets.UTF_8);
        this.from = from;
        this.to = to;
    }

    /** Copies until {@code from} ends, on a thread of its own. */
    static Thread start(String prefix, InputStream from, PrintStream to) {
        LinePump pump = new LinePump(prefix, from, to);
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
        if (line.size() == 0) {
            line.writeBytes(prefix);
        }
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
        if (line.size() > 0) {
            line.write('\n');
            write();
        }
    }

    /** One call for the whole line: others write to the same stream. */
    private void write() {
        to.write(line.toByteArray(), 0, line.size());
        line.reset();
    }
}
