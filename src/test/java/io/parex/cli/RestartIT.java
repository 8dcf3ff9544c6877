package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Recovered;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes of a rank that come after another of the same rank, or beside it. */
@Tag("slow")
@Timeout(180)
class RestartIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What an answer is used again for, at most, and what the cases allow beyond that. */
    private static final Duration NEW_ADDRESS = Duration.ofSeconds(10);

    /** How soon a process says that there is another of its rank. */
    private static final Duration SAID = Duration.ofSeconds(5);

    @TempDir
    private Path folder;

    /** C85: killed, and started again at an address that its name did not have before. */
    @Test
    void shouldFollowARankThatComesBackAtAnotherAddress() throws Exception {
        int[] ports = ListedRanks.freePorts(3);
        try (PrivateNames names = new PrivateNames(folder);
                ListedRanks ranks = new ListedRanks(
                                folder, "zero.test:" + ports[0], "one.test:" + ports[1], "two.test:" + ports[2])
                        .with("PAREX_ADVERTISE", "192.0.2.1")) {
            names.dns()
                    .answer("zero.test", 3600, "127.0.0.20")
                    .answer("one.test", 3600, "127.0.0.21")
                    .answer("two.test", 3600, "127.0.0.22");
            ParexProcess zero = ranks.with("PAREX_FABRIC_HOST", "127.0.0.20").start(0, names.on("zero"));
            ParexProcess one = ranks.with("PAREX_FABRIC_HOST", "127.0.0.21").start(1, names.on("one"));
            ParexProcess two = ranks.with("PAREX_FABRIC_HOST", "127.0.0.22").start(2, names.on("two"));
            List.of(zero, one, two).forEach(ParexProcess::awaitReady);
            assertEquals(List.of(6, 6, 6), sums(zero, one, two));

            one.kill();
            one.exit();
            names.dns().answer("one.test", 3600, "127.0.0.24");
            ParexProcess again = ranks.with("PAREX_FABRIC_HOST", "127.0.0.24").start(1, names.on("one"));
            again.place("health");
            Awaitility.await().atMost(NEW_ADDRESS).until(() -> {
                assertTrue(isReady(zero) && isReady(two), "those that were not started again remain ready");
                return isReady(again);
            });
            assertTrue(again.err().contains("rank 1 was started before: this is generation 2"), again::err);
            awaitRefusal(zero, 0);
            awaitRefusal(two, 2);
            assertEquals(4, recover(zero, again, two).epoch());
            assertEquals(List.of(6, 6, 6), sums(zero, again, two));
        }
    }

    /** C88: of two processes each that take themselves for ranks 0 and 1. */
    @Test
    void shouldRefuseProcessesOfRanksThatLive() throws Exception {
        int[] ports = ListedRanks.freePorts(4);
        try (ListedRanks ranks = new ListedRanks(
                folder,
                IntStream.range(0, 4)
                        .mapToObj(rank -> "127.0.0.2" + rank + ":" + ports[rank])
                        .toArray(String[]::new))) {
            ParexProcess zero = ranks.with("PAREX_FABRIC_HOST", "127.0.0.20").start(0);
            ParexProcess one = ranks.with("PAREX_FABRIC_HOST", "127.0.0.21").start(1);
            Awaitility.await()
                    .atMost(PATIENCE)
                    .until(() -> readiness(zero).contains("\"missing\": \"2, 3\"")
                            && readiness(one).contains("\"missing\": \"2, 3\""));
            ParexProcess anotherZero =
                    ranks.with("PAREX_FABRIC_HOST", "127.0.0.30").start(0);
            ParexProcess anotherOne =
                    ranks.with("PAREX_FABRIC_HOST", "127.0.0.31").start(1);
            anotherZero.place("health");
            anotherOne.place("health");
            awaitLog(anotherZero, "another process is rank 0 and answers (generation 1)");
            awaitLog(anotherOne, "another process is rank 1 and answers (generation 1)");
            awaitLog(zero, "another process is rank 1 and answers (generation 1)");
            awaitLog(one, "another process is rank 0 and answers (generation 1)");

            ParexProcess two = ranks.with("PAREX_FABRIC_HOST", "127.0.0.22").start(2);
            ParexProcess three = ranks.with("PAREX_FABRIC_HOST", "127.0.0.23").start(3);
            List.of(zero, one, two, three).forEach(ParexProcess::awaitReady);
            assertEquals(List.of(10, 10, 10, 10), sums(zero, one, two, three));
            for (ParexProcess another : List.of(anotherZero, anotherOne)) {
                assertFalse(isReady(another), another::err);
                assertTrue(another.isAlive());
            }
            for (ParexProcess first : List.of(zero, one)) {
                assertTrue(isReady(first), first::err);
                String metrics = ParexProcess.get(first.place("metrics")).body();
                assertTrue(
                        metrics.matches("(?s).*\\nparex_connections_refused_total"
                                + "\\{rank=\".\",reason=\"duplicate_rank\"} [1-9].*"),
                        metrics);
            }
            assertEquals(List.of(10, 10, 10, 10), sums(zero, one, two, three));
        }
    }

    private static boolean isReady(ParexProcess rank) throws Exception {
        return ParexProcess.get(rank.place("health") + "/ready").statusCode() == 200;
    }

    private static String readiness(ParexProcess rank) throws Exception {
        return ParexProcess.get(rank.place("health") + "/ready").body();
    }

    /** Waits until the rank has heard that another was started again. */
    private static void awaitRefusal(ParexProcess process, int rank) {
        try (ParexClient client = connect(process, rank)) {
            Awaitility.await().atMost(PATIENCE).until(() -> {
                ParexException failure = assertThrows(
                        ParexException.class,
                        () -> client.barrier(ClientOptions.DEFAULT).await().atMost(PATIENCE));
                return failure.kind() == ErrorKind.ABORTED;
            });
        }
    }

    private static Recovered recover(ParexProcess... ranks) {
        List<ParexClient> clients = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks.length; rank++) {
                clients.add(connect(ranks[rank], rank));
            }
            List<CompletableFuture<Recovered>> recoveries = clients.stream()
                    .map(client -> client.recover(PATIENCE).subscribeAsCompletionStage())
                    .toList();
            List<Recovered> heard =
                    recoveries.stream().map(CompletableFuture::join).distinct().toList();
            assertEquals(1, heard.size(), heard::toString);
            return heard.getFirst();
        } finally {
            clients.forEach(ParexClient::close);
        }
    }

    /** Adds up rank + 1. */
    private static List<Integer> sums(ParexProcess... ranks) {
        int count = 300_000;
        List<ParexClient> clients = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks.length; rank++) {
                clients.add(connect(ranks[rank], rank));
            }
            List<TensorView> tensors = new ArrayList<>();
            List<ClientWork> works = new ArrayList<>();
            for (ParexClient client : clients) {
                TensorView tensor = filled(count, client.rank() + 1);
                tensors.add(tensor);
                works.add(client.allReduce(tensor, tensor, ReduceOp.SUM, ClientOptions.DEFAULT));
            }
            works.forEach(work -> work.await().atMost(PATIENCE));
            return tensors.stream()
                    .map(tensor -> tensor.segment().getAtIndex(ValueLayout.JAVA_INT, count - 1))
                    .toList();
        } finally {
            clients.forEach(ParexClient::close);
        }
    }

    private static TensorView filled(int count, int value) {
        TensorView tensor =
                new TensorView(Arena.ofAuto().allocate((long) count * Integer.BYTES), DataType.INT32, count);
        for (int i = 0; i < count; i++) {
            tensor.segment().setAtIndex(ValueLayout.JAVA_INT, i, value);
        }
        return tensor;
    }

    private static ParexClient connect(ParexProcess process, int rank) {
        return ParexClient.connect(process.place("endpoint"), rank, ConnectOptions.DEFAULT)
                .await()
                .atMost(PATIENCE);
    }

    private static void awaitLog(ParexProcess rank, String text) {
        Awaitility.await()
                .atMost(SAID)
                .untilAsserted(() -> assertTrue(rank.err().contains(text), rank::err));
    }
}
