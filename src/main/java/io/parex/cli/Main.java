package io.parex.cli;

import io.quarkus.runtime.annotations.QuarkusMain;

/**
 * The entry point of {@code target/parex}.
 *
 * <p>A plain {@code main}: a command that needs the server starts Quarkus itself, and no other pays for it or fails
 * because a port is taken.
 */
@QuarkusMain
public final class Main {
    /** Quarkus makes the class a bean, which needs a constructor that is not private. */
    Main() {}

    /** Runs the command named by the arguments and ends the process with its {@linkplain ExitCodes exit status}. */
    public static void main(String... args) {
        System.exit(ParexCommand.commandLine().execute(args));
    }
}
