package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.demo.ClientExchange;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code parex run} and {@code parex serve} as people and orchestrators start them. */
@Timeout(300)
class RunIT {
    private static final long MAX_IDLE_KIB = 250 * 1000;
    /** Of processor time: that is what an idle machine takes, and other work on the machine does not change it. */
    private static final Duration MAX_START = Duration.ofSeconds(6);

    /** Work without an end, of this run of the tests alone. */
    private static final String FOREVER = JobProcessesTest.sleepForever();

    /** A job that was stopped has not done its work. */
    private static final int SIGTERM_EXIT = 128 + 15;

    private static final String PAREX =
            Path.of("target", "parex").toAbsolutePath().toString();

    @TempDir
    private Path folder;

    @Test
    void shouldTellEachProcessItsRank() throws Exception {
        String script = "echo $RANK/$WORLD_SIZE $LOCAL_RANK/$LOCAL_WORLD_SIZE $PAREX_RANK $MASTER_ADDR";
        try (ParexProcess run = start("run", "-n", "4", "--", "sh", "-c", script)) {
            assertEquals(ExitCodes.GOOD, run.exit(), run::err);
            List<String> expected = IntStream.range(0, 4)
                    .mapToObj(rank -> "[%1$d] %1$d/4 %1$d/4 %1$d 127.0.0.1".formatted(rank))
                    .toList();
            assertEquals(expected, run.out().lines().sorted().toList());
        }
    }

    @Test
    void shouldEndWithTheFirstFailureAndLeaveNobodyBehind() throws Exception {
        String script = "[ $RANK = 2 ] && exit 42; " + FOREVER + " & wait";
        try (ParexProcess run = start("run", "-n", "3", "sh", "-c", script)) {
            assertEquals(42, run.exit(), run::err);
            assertEquals(List.of(), JobProcessesTest.running(FOREVER));
        }
    }

    @Test
    void shouldEndEverythingWhenToldTo() throws Exception {
        try (ParexProcess run = start("run", "-n", "2", "--", "sh", "-c", "echo up; " + FOREVER + "; true")) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(120))
                    .until(() -> run.out().lines().count() == 2);
            assertEquals(2, JobProcessesTest.running(FOREVER).size());
            run.terminate();
            assertEquals(SIGTERM_EXIT, run.exit(), run::err);
            assertEquals(List.of(), JobProcessesTest.running(FOREVER));
            assertEquals(List.of(), JobProcessesTest.running(FOREVER + "; true"));
        }
    }

    /** Orphans and processes that ignore the request included. */
    @Test
    void shouldLeaveNobodyBehindWhenItIsKilled() throws Exception {
        String script = "trap '' TERM; setsid " + FOREVER + " & echo up; while :; do " + FOREVER + "; done";
        try (ParexProcess run = start("run", "-n", "2", "--", "sh", "-c", script)) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(120))
                    .until(() -> run.out().lines().count() == 2
                            && JobProcessesTest.running(FOREVER).size() == 4);
            run.kill();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> JobProcessesTest.running(FOREVER).isEmpty()
                            && JobProcessesTest.running(FOREVER + "; done").isEmpty());
        }
    }

    @Test
    void shouldGiveItsInputToRankZero() throws Exception {
        Shell.Result result = new Shell(folder, Map.of())
                .run("sh", "-c", "echo hello | \"$0\" run -n 2 -- sh -c 'read -r x; echo got $x'", PAREX);
        assertEquals(
                List.of("[0] got hello", "[1] got"),
                result.out().lines().sorted().toList(),
                result.err());
    }

    @Test
    void shouldMissAProgramBeforeTheWorldStarts() throws Exception {
        try (ParexProcess run = start("run", "-n", "2", "--", "no-such-program")) {
            assertEquals(ExitCodes.USAGE, run.exit(), run::err);
            assertEquals(
                    "parex run: cannot start 'no-such-program': there is no such program on the PATH",
                    run.err().lines().reduce((first, last) -> last).orElseThrow());
            assertTrue(!run.err().contains("endpoint"), run::err);
        }
    }

    @Test
    void shouldStartFastStaySmallAndEndWhenToldTo() throws Exception {
        try (ParexProcess run = start("run", "-n", "4")) {
            run.awaitReady();
            Duration spent = run.cpuTime();
            assertTrue(spent.compareTo(MAX_START) <= 0, () -> "ready after " + spent);
            long resident = run.residentKib();
            assertTrue(resident <= MAX_IDLE_KIB, () -> resident + " KiB resident");
            run.terminate();
            assertEquals(ExitCodes.GOOD, run.exit(), run::err);
        }
    }

    @Test
    void shouldCountWhatTrainersCall() throws Exception {
        try (ParexProcess run = start("run", "-n", "2")) {
            exchange(run.place("endpoint"), 2);
            String scraped = ParexProcess.get(run.place("metrics")).body();
            for (String rank : new String[] {"0", "1"}) {
                assertScraped(
                        "parex_operations_total{algorithm=\"recursive_doubling\",outcome=\"ok\","
                                + "primitive=\"all_reduce\",rank=\"" + rank + "\"} 1.0",
                        scraped);
                assertScraped(
                        "parex_operation_duration_seconds_count{outcome=\"ok\",primitive=\"all_reduce\",rank=\"" + rank
                                + "\",size_class=\"1KiB\"} 1.0",
                        scraped);
            }
        }
    }

    /** Case C119: what strangers send must not become labels. */
    @Test
    void shouldNotGrowWithRejectedConnections() throws Exception {
        try (ParexProcess run = start("run", "-n", "2")) {
            URI endpoint = URI.create("tcp://" + run.place("endpoint"));
            exchange(run.place("endpoint"), 2);
            sendGarbage(endpoint, 10);
            List<String> before = series(run);
            sendGarbage(endpoint, 1000);
            exchange(run.place("endpoint"), 2);
            assertEquals(before, series(run));
        }
    }

    /** Nobody starts another process for a rank that the others have lost. */
    @Test
    void shouldEndWhenARankIsLost() throws Exception {
        try (ParexProcess run = new ParexProcess(
                folder, Map.of("PAREX_TIMEOUT_PEER", "1s"), "run", "-n", "2", "--isolation", "process")) {
            List<String> endpoints = List.of(endpoint(run, 0), endpoint(run, 1));
            ProcessHandle member = run.children().stream()
                    .filter(child -> isOfRank(child, 1))
                    .findFirst()
                    .orElseThrow();
            ParexProcess.signal(member, "STOP");
            ParexException failure = assertThrows(ParexException.class, () -> meet(endpoints.getFirst()));
            assertEquals(ErrorKind.PEER_FAILED, failure.kind(), failure::getMessage);
            ParexProcess.signal(member, "CONT");
            assertEquals(ExitCodes.UNREACHABLE, run.exit(), run::err);
            assertTrue(run.err().contains("\n[rank 1] parex member: rank 1 of world parex is lost: "), run::err);
            assertTrue(
                    run.err().matches("(?s).*\\nparex run: the process of rank 1 .*ended with status 4.*"), run::err);
            assertFalse(run.err().contains("rank 0 of world parex is lost"), run::err);
        }
    }

    /** Waits for the other rank, as long as that is not lost. */
    private static void meet(String endpoint) {
        Duration patience = Duration.ofSeconds(30);
        try (ParexClient client = ParexClient.connect(endpoint, ParexClient.ONLY_RANK, ConnectOptions.DEFAULT)
                .await()
                .atMost(patience)) {
            client.barrier(ClientOptions.DEFAULT).await().atMost(patience);
        }
    }

    private static String endpoint(ParexProcess run, int rank) {
        return run.place("rank-" + rank).replaceAll("endpoint (\\S+) .*", "$1");
    }

    private static boolean isOfRank(ProcessHandle member, int rank) {
        try {
            String environment = Files.readString(
                    Path.of("/proc", Long.toString(member.pid()), "environ"), StandardCharsets.ISO_8859_1);
            return List.of(environment.split("\0")).contains("PAREX_RANK=" + rank);
        } catch (IOException e) {
            return false;
        }
    }

    private static void sendGarbage(URI endpoint, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            try (Socket socket = new Socket(endpoint.getHost(), endpoint.getPort())) {
                socket.getOutputStream()
                        .write("GET /%d HTTP/1.1\r\n\r\n".formatted(i).getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    /** All series but the JVM's, some of which appear with the first collection of garbage. */
    private static List<String> series(ParexProcess run) throws IOException, InterruptedException {
        return ParexProcess.get(run.place("metrics"))
                .body()
                .lines()
                .filter(line -> !line.startsWith("#") && !line.startsWith("jvm_"))
                .map(line -> line.substring(0, line.lastIndexOf(' ')))
                .sorted()
                .toList();
    }

    @Test
    void shouldNameTheSettingOfAPortThatIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            String port = Integer.toString(taken.getLocalPort());
            for (String setting : List.of("quarkus.grpc.server.port", "quarkus.management.port", "quarkus.http.port")) {
                Map<String, String> environment =
                        Map.of(setting.toUpperCase(java.util.Locale.ROOT).replace('.', '_'), port);
                try (ParexProcess run = new ParexProcess(folder, environment, "run", "-n", "1")) {
                    assertEquals(ExitCodes.UNREACHABLE, run.exit(), run::err);
                    assertTrue(run.err().contains("port " + port + " (" + setting + ")"), run::err);
                    assertEquals("", run.out());
                }
            }
        }
    }

    @Test
    void shouldServeOneRank() throws Exception {
        Map<String, String> anyPort =
                Map.of("QUARKUS_HTTP_PORT", "0", "QUARKUS_MANAGEMENT_PORT", "0", "QUARKUS_GRPC_SERVER_PORT", "0");
        try (ParexProcess serve = new ParexProcess(folder, anyPort, "serve")) {
            serve.awaitReady();
            exchange(serve.place("endpoint"), 1);
            serve.terminate();
            assertEquals(ExitCodes.GOOD, serve.exit(), serve::err);
        }
    }

    /** An all_reduce of 100 ones on every rank. */
    private static void exchange(String endpoint, int size) throws InterruptedException {
        exchange(Collections.nCopies(size, endpoint));
    }

    private static void exchange(List<String> endpoints) throws InterruptedException {
        int size = endpoints.size();
        List<ClientExchange> exchanges = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            exchanges.add(ClientExchange.connect(endpoints.get(rank), rank));
        }
        List<float[]> results = new ArrayList<>();
        List<Thread> workers = new ArrayList<>();
        for (ClientExchange exchange : exchanges) {
            float[] values = IntStream.range(0, 100).collect(() -> new float[100], (to, i) -> to[i] = i, (a, b) -> {});
            results.add(values);
            workers.add(Thread.ofPlatform().start(() -> exchange.allReduceAverage(values)));
        }
        for (Thread worker : workers) {
            worker.join();
        }
        results.forEach(values -> assertEquals(99, values[99]));
        exchanges.forEach(ClientExchange::close);
    }

    private static void assertScraped(String line, String scraped) {
        assertTrue(scraped.lines().anyMatch(line::equals), () -> line + " is not in\n" + scraped);
    }

    private ParexProcess start(String... arguments) throws IOException {
        return new ParexProcess(folder, Map.of(), arguments);
    }
}
