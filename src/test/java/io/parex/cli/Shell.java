package io.parex.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs the way a person at a terminal does. */
final class Shell {
    private static final long TIMEOUT_SECONDS = 60;

    private final Path directory;
    private final Map<String, String> environment;

    /** Programs start in the given directory, with these changes to the environment; an empty value removes a name. */
    Shell(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = environment;
    }

    /** What a program that ended left. */
    record Result(int exit, String out, String err) {}

    Result run(String... command) throws IOException, InterruptedException {
        Path out = Files.createTempFile("parex", ".out");
        Path err = Files.createTempFile("parex", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(List.of(command))
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            environment.forEach(builder.environment()::put);
            builder.environment().values().removeIf(String::isEmpty);
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(List.of(command) + " did not end within " + TIMEOUT_SECONDS + " s");
            }
            return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }
}
