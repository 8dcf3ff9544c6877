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

/** Element types by the Java client: carried bit for bit, and refused by name where they are not reduced (C17, C21). */
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
                received.segment().fill((byte) 0);
                await(first.send(given, 1, CALL), second.recv(received, 0, CALL));
                Tensors.assertSame(given, received);
                List<TensorView> both = List.of(two(given), two(given));
                await(first.allGather(given, both.get(0), CALL), second.allGather(given, both.get(1), CALL));
                TensorView gathered = two(given);
                await(first.gather(given, gathered, 0, CALL), second.gather(given, null, 0, CALL));
                for (TensorView blocks : List.of(both.get(0), both.get(1), gathered)) {
                    Tensors.assertSame(given, blocks.slice(0, given.count()));
                    Tensors.assertSame(given, blocks.slice(given.count(), given.count()));
                }
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

    private static TensorView two(TensorView like) {
        return Tensors.empty(like.type(), 2 * like.count());
    }

    private static void await(ClientWork... works) {
        for (ClientWork work : works) {
            work.await().atMost(LIMIT);
        }
    }
}
