package io.parex.cli;

import io.parex.ParexException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The top-level command: lists the commands and holds what they share, which is {@code --help} and the way errors are
 * reported. Standard output belongs to results; everything else goes to standard error.
 */
@Command(
        name = "parex",
        description = "Parameter exchange service for distributed training.",
        versionProvider = BuildInfo.VersionLine.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "%nCommands:%n",
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            ExitCodes.GOOD + ":good",
            ExitCodes.CHECK_FAILED + ":a check failed",
            ExitCodes.USAGE + ":wrong usage",
            ExitCodes.STALLED + ":a rank is stalled",
            ExitCodes.UNREACHABLE + ":the world cannot be reached"
        },
        subcommands = {
            ServeCommand.class,
            RunCommand.class,
            DemoCommand.class,
            BenchCommand.class,
            BenchMemberCommand.class,
            VerifyCommand.class,
            ScheduleCommand.class,
            PlanCommand.class,
            TuneCommand.class,
            MemberCommand.class,
            WarmUpCommand.class
        })
final class ParexCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Show this help and exit.")
    private boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "Show the version and exit.")
    private boolean version;

    /** The parser of a whole command line, ready to {@code execute}. */
    static CommandLine commandLine() {
        return new CommandLine(new ParexCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(ParexCommand::reportUsage)
                .setExecutionExceptionHandler(ParexCommand::reportFailure);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }

    private static int reportUsage(ParameterException wrong, String[] args) {
        PrintWriter err = wrong.getCommandLine().getErr();
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName();
        err.println(command + ": " + wrong.getMessage());
        UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Try '" + command + " --help'.");
        return ExitCodes.USAGE;
    }

    /** One line for an error that Parex explains itself; any other is a bug and is shown with its trace. */
    private static int reportFailure(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof ParexException known) {
            err.println(command.getCommandSpec().qualifiedName() + ": " + known.getMessage());
            return ExitCodes.of(known.kind());
        }
        failure.printStackTrace(err);
        return ExitCodes.CHECK_FAILED;
    }
}
