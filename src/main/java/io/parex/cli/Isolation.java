package io.parex.cli;

/** Where the ranks of a local world live. */
enum Isolation {
    /** All in one process. */
    JVM,
    /** Each in a process of its own. */
    PROCESS
}
