package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientWork;
import io.parex.client.Completion;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations of the Java client that are cancelled: one ends, the session goes on. */
class ClientCancelTest extends TwoClients {

    @AfterEach
    void shouldStillBeUsable() {
        ClientWork last = zero.barrier(CALL);
        one.barrier(CALL).await().atMost(LIMIT);
        last.await().atMost(LIMIT);
        awaitIdle();
        closeClients();
        server.close();
    }

    private static void assertCancelled(String text, ClientWork work) {
        ParexException failure =
                assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
        assertEquals(ErrorKind.CANCELLED, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
        assertTrue(work.isDone());
    }

    @Test
    void shouldFailACancelledCollectiveOnAllMembers() {
        TensorView tensor = Tensors.ints(1 << 20, i -> i);
        ClientWork made = zero.allReduce(tensor, tensor, ReduceOp.SUM, CALL);
        assertFalse(made.isDone());
        made.cancel("the loss is not a number");
        assertCancelled("cancelled: the loss is not a number", made);
        // Not yet made there: it hears when it makes the call.
        TensorView other = Tensors.ints(1 << 20, i -> i);
        assertCancelled("the loss is not a number", one.allReduce(other, other, ReduceOp.SUM, CALL));
    }

    @Test
    void shouldTellTheMemberThatWaits() {
        ClientWork waiting = one.barrier(CALL);
        awaitInFlight(1);
        waiting.cancel("enough");
        assertCancelled("enough", waiting);
        assertCancelled("enough", zero.barrier(CALL));
    }

    @Test
    void shouldCancelMessages() {
        TensorView large = Tensors.ints(4 << 20, i -> i);
        ClientWork send = zero.send(large, 1, CALL);
        ClientWork recv = one.recv(Tensors.empty(DataType.INT32, 1), 0, CALL.withTag(7));
        List<ClientWork> batch = zero.batch(
                List.of(
                        Transfer.recv(Tensors.empty(DataType.INT32, 1), 1, 1),
                        Transfer.recv(Tensors.empty(DataType.INT32, 1), 1, 2)),
                CALL);
        awaitInFlight(4);
        send.cancel("");
        assertCancelled("cancelled: by the client of rank 0", send);
        recv.cancel("no more");
        assertCancelled("cancelled: no more", recv);
        batch.getFirst().cancel("not this one");
        assertCancelled("not this one", batch.getFirst());
        ClientWork answer = one.send(Tensors.ints(1, i -> 5), 0, CALL.withTag(2));
        Completion completion = batch.getLast().await().atMost(LIMIT);
        assertEquals(2, completion.tag());
        answer.await().atMost(LIMIT);
    }

    @Test
    void shouldLeaveAloneWhatHasEndedOrWasNeverStarted() {
        ClientWork made = zero.barrier(CALL);
        ClientWork other = one.barrier(CALL);
        Completion first = made.await().atMost(LIMIT);
        made.cancel("too late");
        made.cancel("again");
        assertEquals(first, made.await().atMost(LIMIT));
        other.await().atMost(LIMIT);
        ClientWork refused = zero.send(null, 1, CALL);
        assertTrue(refused.isDone());
        refused.cancel("nothing to cancel");
        assertEquals(
                ErrorKind.ARGUMENT,
                assertThrows(ParexException.class, () -> refused.await().atMost(LIMIT))
                        .kind());
        assertEquals(
                ErrorKind.ARGUMENT,
                assertThrows(ParexException.class, () -> refused.cancel(null)).kind());
    }

    @Test
    void shouldNotCancelByTheEndOfASubscription() {
        ClientWork made = zero.barrier(CALL);
        made.subscribe().with(end -> {}).cancel();
        one.barrier(CALL).await().atMost(LIMIT);
        made.await().atMost(LIMIT);
    }
}
