package io.parex.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tests of the Python package, {@code src/test/python}, under pytest: with the package and the {@code parex} of
 * this build, and Debian's Python, which has the libraries. Its mypy looks at the types where it is there.
 */
class PythonIT {
    private static final String PYTHON = "/usr/bin/python3";
    private static final Path SOURCES = Path.of("src", "main", "python");
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final Duration SHORT = Duration.ofMinutes(5);
    private static final Duration LONG = Duration.ofMinutes(40);

    @TempDir
    private Path folder;

    @Test
    void shouldPassPytest() throws Exception {
        pytest("not slow", SHORT);
    }

    @Test
    @Tag("slow")
    void shouldPassSlowPytest() throws Exception {
        pytest("slow", LONG);
    }

    @Test
    void shouldBeTyped() throws Exception {
        require("mypy", "mypy");
        Path configuration = SOURCES.resolve("pyproject.toml");
        run(
                List.of(
                        PYTHON,
                        "-m",
                        "mypy",
                        "--config-file=" + configuration,
                        // What it knows of torch and numpy takes 40 s to find out, and stays true.
                        "--cache-dir=" + TARGET.resolve("mypy"),
                        SOURCES.resolve("parex").toString(),
                        SOURCES.resolve("_parex_autoload.py").toString(),
                        SOURCES.resolve("sitecustomize.py").toString()),
                SHORT);
    }

    /** What is skipped is listed with its reason; the whole of what pytest says is the message of a failure. */
    private void pytest(String marks, Duration limit) throws Exception {
        require("numpy, grpc, google.protobuf, pytest", "python3-numpy python3-grpcio python3-protobuf python3-pytest");
        run(
                List.of(
                        PYTHON,
                        "-m",
                        "pytest",
                        "src/test/python",
                        "-m",
                        marks,
                        "-q",
                        "-rs",
                        "--durations=10",
                        "--basetemp=" + folder.resolve("pytest")),
                limit);
    }

    private static void require(String modules, String packages) throws IOException {
        Assumptions.assumeTrue(Files.isExecutable(Path.of(PYTHON)), "there is no " + PYTHON);
        Process check = new ProcessBuilder(PYTHON, "-c", "import " + modules)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Assumptions.assumeTrue(
                check.onExit().join().exitValue() == 0,
                PYTHON + " lacks one of " + modules + ": apt-get install " + packages);
    }

    private void run(List<String> command, Duration limit) throws IOException, InterruptedException {
        Path said = folder.resolve("said");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile());
        builder.environment().put("PYTHONPATH", TARGET.resolve("python").toString());
        builder.environment().put("PAREX_COMMAND", TARGET.resolve("parex").toString());
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        Process process = builder.start();
        try {
            boolean ended = process.waitFor(limit.toSeconds(), TimeUnit.SECONDS);
            String words = Files.readString(said);
            System.out.println(words);
            assertTrue(ended, () -> "it has not ended within " + limit + ":\n" + words);
            assertEquals(0, process.exitValue(), words);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
