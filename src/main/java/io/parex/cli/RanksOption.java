package io.parex.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The size of a local world, where four will do if nobody says otherwise. */
final class RanksOption {
    /** As many as one process hosts. */
    private static final int MAX = 1024;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    private int count;

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of ranks, 1 to " + MAX + " (default: ${DEFAULT-VALUE}).")
    private void set(int value) {
        if (value < 1 || value > MAX) {
            throw new ParameterException(command.commandLine(), "-n must be 1 to " + MAX + ", not " + value);
        }
        count = value;
    }

    int count() {
        return count;
    }
}
