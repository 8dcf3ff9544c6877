package io.parex.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** {@code target/parex} while it runs. */
final class ParexProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration GRACE = Duration.ofSeconds(20);

    static final String PAREX = Path.of("target", "parex").toAbsolutePath().toString();

    private final Path out;
    private final Path err;
    private final Process process;

    /** Starts it with these arguments and additions to the environment; its output goes to files in {@code folder}. */
    ParexProcess(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        this(
                folder,
                environment,
                Stream.concat(Stream.of(PAREX), Stream.of(arguments)).toList());
    }

    /** The same by a command that becomes it. */
    ParexProcess(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        out = Files.createTempFile(folder, "parex", ".out");
        err = Files.createTempFile(folder, "parex", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    /** What it says to be at {@code name}; waits until it has said so. */
    String place(String name) {
        Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive() || line(name) != null);
        if (line(name) == null) {
            throw new AssertionError("it ended without a line '" + name + "': " + out() + err());
        }
        return line(name);
    }

    private String line(String name) {
        // A line that is not complete yet does not count.
        String said = out();
        return said.substring(0, said.lastIndexOf('\n') + 1)
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(name.length()).strip())
                .findFirst()
                .orElse(null);
    }

    /** Waits until it answers that it is ready. */
    void awaitReady() {
        String health = place("health");
        Awaitility.await().atMost(PATIENCE).until(() -> get(health + "/ready").statusCode() == 200);
    }

    /** The page at that address. */
    static HttpResponse<String> get(String address) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    /** Processor time that it has used. */
    Duration cpuTime() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** Memory that is its own now, in KiB. */
    long residentKib() throws IOException {
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        return Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Asks it to end, as Kubernetes and {@code kill} do. */
    void terminate() {
        process.destroy();
    }

    /** Ends it without a word, as {@code kill -9} does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Makes it stop, or go on, as a machine does that is out of memory for a while. */
    void signal(String name) throws IOException, InterruptedException {
        signal(process.toHandle(), name);
    }

    static void signal(ProcessHandle process, String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " has failed: " + status);
        }
    }

    /** The processes that it has started. */
    List<ProcessHandle> children() {
        return process.children().toList();
    }

    /** Waits until it has ended. */
    int exit() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("it did not end within " + PATIENCE + ": " + out() + err());
        }
        return process.exitValue();
    }

    /** Ends it; in order, if it can, so that a failed test leaves none of its processes behind. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
