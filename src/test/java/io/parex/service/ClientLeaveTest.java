package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.CallHeader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C70: a rank whose client has left is not waited for, until another comes in its place. */
class ClientLeaveTest extends TwoClients {

    @AfterEach
    void stop() {
        closeClients();
        awaitIdle();
        server.close();
    }

    private void sumOnBoth() {
        TensorView tensor = Tensors.ints(1, i -> 3);
        ClientWork mine = zero.allReduce(tensor, tensor, ReduceOp.SUM, CALL);
        sum(one, 4).await().atMost(LIMIT);
        mine.await().atMost(LIMIT);
        assertArrayEquals(new int[] {7}, Tensors.ints(tensor));
    }

    private static void assertLeft(String text, ClientWork work) {
        ParexException failure =
                assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
        assertEquals(ErrorKind.LEFT, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }

    @Test
    void shouldFailTheCallAfterTheLastCommonOneSoon() {
        for (int call = 0; call < 10; call++) {
            sumOnBoth();
        }
        zero.close();
        assertLeft("rank 0 left the group after call #9", sum(one, 1));
    }

    @Test
    void shouldFailWhatWaitsForTheRankAndNothingElse() {
        sumOnBoth();
        ClientWork waiting = sum(one, 1);
        ClientWork recv = one.recv(Tensors.empty(DataType.INT32, 1), 0, CALL);
        ClientWork own = one.recv(Tensors.empty(DataType.INT32, 1), 1, CALL);
        awaitInFlight(3);
        zero.close();
        assertLeft("rank 0 left the group after call #0", waiting);
        assertLeft("rank 0 left the group after call #0", recv);
        assertLeft("rank 0 left the group", one.send(Tensors.ints(1, i -> 1), 0, CALL));
        one.send(Tensors.ints(1, i -> 1), 1, CALL).await().atMost(LIMIT);
        own.await().atMost(LIMIT);
    }

    /** The calls that failed meanwhile are not made up for. */
    @Test
    void shouldGoOnWithTheNextClientOfTheRank() {
        sumOnBoth();
        zero.close();
        assertLeft("rank 0 left the group after call #0", sum(one, 1));
        assertLeft("rank 0 left the group after call #0", sum(one, 1));
        zero = server.client(0);
        sumOnBoth();
        // Opened means that the others know: they wait again.
        ClientWork waiting = one.barrier(CALL);
        zero.barrier(CALL).await().atMost(LIMIT);
        waiting.await().atMost(LIMIT);
    }

    @Test
    void shouldNotLeaveWhileTheRankHasAnotherSession() {
        sumOnBoth();
        try (ParexClient other = server.client(0)) {
            zero.close();
            ClientWork waiting = one.barrier(CALL);
            awaitInFlight(1);
            other.barrier(CALL).await().atMost(LIMIT);
            waiting.await().atMost(LIMIT);
        }
        assertLeft("rank 0 left the group after call #1", one.barrier(CALL));
    }

    @Test
    void shouldNotLeaveIfItHasMadeNoCallsOrOnlyDisconnects() {
        ClientWork waiting = one.barrier(CALL);
        zero.close();
        zero = server.client(0);
        zero.barrier(CALL).await().atMost(LIMIT);
        waiting.await().atMost(LIMIT);
        zero.disconnect().await().atMost(LIMIT);
        ClientWork patient = one.barrier(CALL);
        awaitInFlight(1);
        zero = server.client(0);
        zero.barrier(CALL).await().atMost(LIMIT);
        patient.await().atMost(LIMIT);
    }

    /** A client need not wait for the answer to its opening. */
    @Test
    void shouldTakeCallsThatComeBeforeItHasAnswered() {
        sumOnBoth();
        zero.close();
        assertLeft("rank 0 left the group", sum(one, 1));
        SessionDriver hasty = SessionDriver.unopened(server);
        hasty.send(
                Messages.open(0, "hasty"),
                Messages.submit(Messages.operation(1).setRecv(Messages.recv(CallHeader.newBuilder(), 1, 0))),
                Messages.submit(Messages.operation(2).setSend(Messages.send(CallHeader.newBuilder(), 1, 0))),
                Messages.chunk(2, Messages.bytes(4)));
        hasty.halfClose();
        assertTrue(hasty.next().hasOpened());
        hasty.assertComplete(1L, 2L);
    }
}
