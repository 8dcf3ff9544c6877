package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.Reductions;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Element types by the Java client: carried bit for bit, and refused by name where they are not reduced (C21). */
class CarriedTypesTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @Test
    void shouldCarryEveryTypeAndRefuseToReduceSome() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        try (EdgeServer server = EdgeServer.of(2);
                ParexClient first = server.client(0);
                ParexClient second = server.client(1)) {
            for (DataType type : DataType.values()) {
                TensorView given = TensorView.of(MemorySegment.ofArray(all), type);
                TensorView received = Tensors.empty(type, given.count());
                await(first.broadcast(given, 0, CALL), second.broadcast(received, 0, CALL));
                Tensors.assertSame(given, received);
                if (!Reductions.supports(type, ReduceOp.SUM)) {
                    for (ParexClient client : List.of(first, second)) {
                        ClientWork refused = client.allReduce(received, received, ReduceOp.SUM, CALL);
                        ParexException refusal = assertThrows(ParexException.class, () -> await(refused));
                        assertEquals(ErrorKind.UNSUPPORTED, refusal.kind());
                        assertTrue(refusal.getMessage().contains("sum of " + type.label()), refusal.getMessage());
                    }
                }
            }
            await(first.barrier(CALL), second.barrier(CALL));
        }
    }

    private static void await(ClientWork... works) {
        for (ClientWork work : works) {
            work.await().atMost(LIMIT);
        }
    }
}
