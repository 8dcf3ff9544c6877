package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;

/** A world of two ranks in this process, each with a client. Tests close it, each in its own way. */
abstract class TwoClients {
    static final Duration LIMIT = Duration.ofSeconds(20);
    static final ClientOptions CALL = ClientOptions.DEFAULT;

    EdgeServer server;
    ParexClient zero;
    ParexClient one;

    @BeforeEach
    void start() {
        server = EdgeServer.of(2);
        zero = server.client(0);
        one = server.client(1);
    }

    void closeClients() {
        zero.close();
        one.close();
    }

    void awaitInFlight(int count) {
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == count);
    }

    /** Nothing runs, and nothing is held. */
    void awaitIdle() {
        awaitInFlight(0);
        assertEquals(0, server.edge().staging().usedBytes());
    }

    static ClientWork sum(ParexClient client, int value) {
        TensorView tensor = Tensors.ints(1, i -> value);
        return client.allReduce(tensor, tensor, ReduceOp.SUM, CALL);
    }
}
