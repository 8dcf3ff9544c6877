package io.parex.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * A command line run in this JVM.
 *
 * @param exit its status
 * @param out what it printed on standard output
 * @param err what it printed on standard error
 */
record Invocation(int exit, String out, String err) {

    static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine parex =
                ParexCommand.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int exit = parex.execute(arguments);
        return new Invocation(exit, out.toString(), err.toString());
    }
}
