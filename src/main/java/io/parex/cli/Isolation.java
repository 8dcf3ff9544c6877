package io.parex.cli;

import java.util.Locale;

/** Where the ranks of a command live. */
enum Isolation {
    /** All in one process, joined by reference. */
    JVM,
    /** Each in a process of its own, joined by TCP on this host. */
    PROCESS;

    /** Such as {@code process}, as on the command line and in results. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
