package io.parex.service;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A {@code parex serve} in a process of its own, on free ports of loopback. */
final class ServedWorld implements AutoCloseable {
    private static final String ENDPOINT = "endpoint";

    private final Process process;
    private final CompletableFuture<String> endpoint = new CompletableFuture<>();
    private final StringBuffer output = new StringBuffer();

    private ServedWorld(Process process) {
        this.process = process;
        Thread.ofVirtual().start(this::listen);
    }

    /** Starts it and waits until it serves. */
    static ServedWorld start(int size, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of("target", "parex").toAbsolutePath().toString(), "serve")
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        builder.environment().put("PAREX_WORLD_SIZE", Integer.toString(size));
        for (String listener : new String[] {"GRPC_SERVER", "MANAGEMENT", "HTTP"}) {
            builder.environment().put("QUARKUS_" + listener + "_PORT", "0");
            builder.environment().put("QUARKUS_" + listener + "_HOST", "127.0.0.1");
        }
        return new ServedWorld(builder.start());
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.startsWith(ENDPOINT)) {
                    endpoint.complete(line.substring(ENDPOINT.length()).strip());
                }
            }
        } catch (IOException e) {
            output.append(e).append('\n');
        } finally {
            endpoint.completeExceptionally(new IllegalStateException("it has ended: " + output));
        }
    }

    /** Where it serves, {@code host:port}. */
    String endpoint() {
        return endpoint.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** What it has printed. */
    String output() {
        return output.toString();
    }

    /** The most memory it ever had resident, in bytes. */
    long peakResidentBytes() throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .findAny()
                .orElseThrow();
    }

    /** Asks it to end, as Kubernetes does. */
    void terminate() {
        process.destroy();
    }

    /** Its exit status; fails if it does not end in time. */
    int awaitExit(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("it has not ended within " + seconds + " s: " + output);
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
