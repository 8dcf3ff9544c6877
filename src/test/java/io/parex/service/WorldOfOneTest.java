package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.client.ClientOptions;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C03: every collective in a world of one gives back its input. */
class WorldOfOneTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private EdgeServer server;
    private ParexClient client;

    @BeforeEach
    void start() {
        server = EdgeServer.of(1);
        client = ParexClient.connect(server.endpoint(), ParexClient.ONLY_RANK, ConnectOptions.DEFAULT)
                .await()
                .atMost(LIMIT);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"SUM, 3", "AVG, 3", "MIN, 3", "MAX, 3", "PRODUCT, 3", "SUM, 0", "SUM, 5000001"})
    void shouldReduceToTheInput(ReduceOp op, long count) {
        TensorView input = Tensors.floats(count, i -> i % 999 + 1);
        TensorView output = Tensors.empty(DataType.FLOAT32, count);
        client.allReduce(input, output, op, CALL).await().atMost(LIMIT);
        Tensors.assertSame(input, output);
        assertEquals(0, server.edge().staging().usedBytes());
    }

    @ParameterizedTest
    @CsvSource({"3", "5000001"})
    void shouldBroadcastToNobody(long count) {
        client.broadcast(Tensors.ints(count, i -> i), 0, CALL).await().atMost(LIMIT);
        client.barrier(CALL).await().atMost(LIMIT);
    }

    @Test
    void shouldExchangeWithItself() {
        TensorView sent = Tensors.ints(3_000_000, i -> i);
        TensorView got = Tensors.empty(DataType.INT32, 3_000_000);
        client.sendRecv(Transfer.send(sent, 0, 1), Transfer.recv(got, 0, 1), CALL)
                .await()
                .atMost(LIMIT);
        Tensors.assertSame(sent, got);
    }
}
