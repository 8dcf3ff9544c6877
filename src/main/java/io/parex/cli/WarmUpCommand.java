package io.parex.cli;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * What the build runs to record the AOT cache: the classes that it loads start faster from then on. Leaves nothing
 * behind and prints nothing.
 */
@Command(name = "warm-up", hidden = true, description = "Load what most commands load, and exit.")
final class WarmUpCommand implements Callable<Integer> {

    @Override
    public Integer call() {
        PrintStream discarded = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        CommandLine parser = ParexCommand.commandLine();
        parser.usage(discarded);
        parser.printVersionHelp(discarded);
        return ExitCodes.GOOD;
    }
}
