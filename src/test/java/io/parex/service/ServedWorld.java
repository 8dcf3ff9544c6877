package io.parex.service;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;

/** A {@code parex serve} in a process of its own, on free ports of loopback. */
final class ServedWorld implements AutoCloseable {
    private static final String ENDPOINT = "endpoint";
    private static final String HEALTH = "health";
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final CompletableFuture<String> endpoint = new CompletableFuture<>();
    private final CompletableFuture<String> health = new CompletableFuture<>();
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
                } else if (line.startsWith(HEALTH)) {
                    health.complete(line.substring(HEALTH.length()).strip());
                }
            }
        } catch (IOException e) {
            output.append(e).append('\n');
        } finally {
            endpoint.completeExceptionally(new IllegalStateException("it has ended: " + output));
            health.completeExceptionally(new IllegalStateException("it has ended: " + output));
        }
    }

    /** Where it serves, {@code host:port}. */
    String endpoint() {
        return endpoint.orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** A session of {@code rank}. */
    ParexClient client(int rank) {
        return ParexClient.connect(endpoint(), rank, ConnectOptions.DEFAULT)
                .await()
                .atMost(Duration.ofSeconds(20));
    }

    /** A connection of its own, for plain RPCs; the caller shuts it down. */
    ManagedChannel channel() {
        return NettyChannelBuilder.forTarget("dns:///" + endpoint())
                .usePlaintext()
                .build();
    }

    /** A number that the liveness probe shows: {@code streams}, {@code calls} or {@code stagingBytes}. */
    long shown(String name) throws IOException, InterruptedException {
        String body = managed("/q/health/live").body();
        Matcher number =
                java.util.regex.Pattern.compile('"' + name + "\": *(\\d+)").matcher(body);
        if (!number.find()) {
            throw new IllegalStateException("no " + name + " in " + body);
        }
        return Long.parseLong(number.group(1));
    }

    /** The page at that path of the management port. */
    HttpResponse<String> managed(String path) throws IOException, InterruptedException {
        URI page = URI.create(health.orTimeout(60, TimeUnit.SECONDS).join()).resolve(path);
        return HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
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
        // Not that of the process, which would close its output.
        process.toHandle().destroy();
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
