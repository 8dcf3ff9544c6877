package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.Completion;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** C117: SIGTERM while calls are in flight, with one that can end and one that cannot. */
class ShutdownIT {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ClientOptions CALL = ClientOptions.DEFAULT;

    @Test
    void shouldLetCallsEndRefuseNewOnesAndExitWell() throws Exception {
        try (ServedWorld served = ServedWorld.start(2, Map.of("PAREX_TIMEOUT_DRAIN", "5s"))) {
            CompletableFuture<String> event = new CompletableFuture<>();
            ParexClient zero = ParexClient.connect(
                            served.endpoint(), 0, ConnectOptions.DEFAULT.withOnEvent(event::complete))
                    .await()
                    .atMost(LIMIT);
            // A message of 8 MiB whose receive is there, and which is sent only when the shutdown has begun.
            List<ClientWork> batch = zero.batch(List.of(Transfer.recv(Tensors.empty(DataType.INT32, 1), 0, 1)), CALL);
            Uni<Completion> stuck = zero.barrier(CALL);
            zero.getWorld().await().atMost(LIMIT);
            served.terminate();
            assertTrue(event.get(20, TimeUnit.SECONDS).contains("shutting down"));
            assertWatched(served);
            assertFails(ErrorKind.UNAVAILABLE, "shutting down", zero.barrier(CALL));
            assertFails(
                    ErrorKind.UNAVAILABLE,
                    "shutting down",
                    ParexClient.connect(served.endpoint(), 1, ConnectOptions.DEFAULT));
            assertFails(ErrorKind.LEFT, "has left", stuck);
            assertFails(ErrorKind.LEFT, "has left", batch.getFirst());
            // Two calls could not end.
            assertEquals(1, served.awaitExit(10), served::output);
            assertLogged("shutting down: waiting up to 5 s for 2 operations", served);
            assertLogged("shutting down: 2 operations had not ended after 5 s; they are failed now", served);
            zero.close();
        }
    }

    @Test
    void shouldExitWithZeroWhereAllCallsEnd() throws Exception {
        try (ServedWorld served = ServedWorld.start(2, Map.of())) {
            CompletableFuture<String> event = new CompletableFuture<>();
            ParexClient zero = ParexClient.connect(
                            served.endpoint(), 0, ConnectOptions.DEFAULT.withOnEvent(event::complete))
                    .await()
                    .atMost(LIMIT);
            ParexClient one = ParexClient.connect(served.endpoint(), 1, ConnectOptions.DEFAULT)
                    .await()
                    .atMost(LIMIT);
            // Long enough for the shutdown to find it in flight: the submission comes first, then 256 MiB.
            TensorView tensor = Tensors.ints(64 << 20, i -> i);
            TensorView other = Tensors.ints(64 << 20, i -> i);
            Uni<Completion> early = zero.allReduce(tensor, tensor, ReduceOp.MAX, CALL);
            Uni<Completion> late = one.allReduce(other, other, ReduceOp.MAX, CALL);
            zero.getWorld().await().atMost(LIMIT);
            one.getWorld().await().atMost(LIMIT);
            served.terminate();
            assertTrue(event.get(20, TimeUnit.SECONDS).contains("shutting down"));
            early.await().atMost(LIMIT);
            late.await().atMost(LIMIT);
            assertEquals(0, served.awaitExit(20), served::output);
            assertLogged("shutting down: waiting up to 25 s for 2 operations", served);
            assertLogged("shutting down: all operations have ended, after ", served);
            zero.close();
            one.close();
        }
    }

    /** A fraction of the time for which calls would have been waited for. */
    @Test
    void shouldNotWaitWhereNothingIsInFlight() throws Exception {
        try (ServedWorld served = ServedWorld.start(2, Map.of())) {
            served.endpoint();
            served.terminate();
            assertEquals(0, served.awaitExit(5), served::output);
            assertLogged("shutting down: no operation is in flight", served);
        }
    }

    /** Whoever watches sees a rank that takes no calls and lives, and can read what it has done. */
    private static void assertWatched(ServedWorld served) throws IOException, InterruptedException {
        HttpResponse<String> ready = served.managed("/q/health/ready");
        assertEquals(503, ready.statusCode(), ready::body);
        assertTrue(ready.body().contains("\"closing\": true"), ready::body);
        assertEquals(200, served.managed("/q/health/live").statusCode());
        HttpResponse<String> metrics = served.managed("/q/metrics");
        assertTrue(metrics.body().contains("parex_operations_in_flight{rank=\"0\"} 2.0"), metrics::body);
    }

    private static void assertLogged(String text, ServedWorld served) {
        // Its last lines may come after its end.
        Awaitility.await().untilAsserted(() -> assertTrue(served.output().contains(text), served::output));
    }

    private static void assertFails(ErrorKind kind, String text, Uni<?> call) {
        ParexException failure =
                assertThrows(ParexException.class, () -> call.await().atMost(LIMIT));
        assertEquals(kind, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }
}
