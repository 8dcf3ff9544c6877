package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.client.Recovered;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.BarrierCall;
import io.parex.v1.CallHeader;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Clients that bring their ranks together again, by {@link ParexClient}. */
class RecoverTest extends TwoClients {
    private static final Duration LONG = Duration.ofMinutes(10);

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

    private Recovered recoverBoth() {
        Uni<Recovered> mine = zero.recover(LIMIT);
        Recovered recovered = one.recover(LIMIT).await().atMost(LIMIT);
        assertEquals(recovered, mine.await().atMost(LIMIT));
        return recovered;
    }

    private static ParexException failure(Uni<?> work) {
        return assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
    }

    private static void assertAborted(String text, ClientWork work) {
        ParexException failure = failure(work);
        assertEquals(ErrorKind.ABORTED, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }

    /** A client of another language that takes part, and dies without a word. */
    private SessionDriver crashing(int rank) {
        SessionDriver client = SessionDriver.open(server, rank);
        ClientWork other = zero.barrier(CALL);
        client.send(Messages.submit(Messages.operation(1).setBarrier(BarrierCall.getDefaultInstance())));
        client.assertCompletes(1);
        other.await().atMost(LIMIT);
        return client;
    }

    @Test
    void shouldBringRanksTogetherAfterAClientHasDied() {
        SessionDriver dying = crashing(1);
        ClientWork waiting = sum(zero, 1);
        awaitInFlight(1);
        dying.kill();
        assertAborted("client of rank 1 closed: connection lost", waiting);
        one.close();
        one = server.client(1);
        // One call behind: what rank 0 calls next waits for the call after.
        ClientWork ahead = sum(zero, 100);
        assertAborted("call #1", sum(one, 1));
        awaitInFlight(1);
        Recovered recovered = recoverBoth();
        assertAborted("recover", ahead);
        assertTrue(recovered.isLevel(), recovered::toString);
        assertEquals(0, recovered.members().getFirst().lastCall());
        assertEquals(3, recovered.nextCall());
        sumOnBoth();
        sumOnBoth();
    }

    @Test
    void shouldSayTheEpochInEveryCall() {
        assertEquals(2, zero.epoch());
        assertEquals(
                List.of(2L, 2L),
                zero.getWorld().await().atMost(LIMIT).ranks().stream()
                        .map(rank -> rank.epoch())
                        .toList());
        // Another client of the rank, which is not told.
        try (ParexClient unaware = server.client(0)) {
            sumOnBoth();
            Recovered recovered = recoverBoth();
            assertEquals(2, recovered.epoch());
            assertEquals(2, zero.epoch());
            for (ClientWork late : List.of(sum(unaware, 1), unaware.send(Tensors.ints(1, i -> 1), 1, CALL))) {
                ParexException refusal = failure(late);
                assertEquals(ErrorKind.ABORTED, refusal.kind());
                assertTrue(refusal.wasRefused());
                assertTrue(
                        refusal.getMessage().contains("in round 0, and now is round " + recovered.round()),
                        refusal::getMessage);
            }
            sumOnBoth();
        }
    }

    @Test
    void shouldRecoverAgainAndAgainOnTheSameSession() {
        long round = 0;
        for (int again = 0; again < 5; again++) {
            sumOnBoth();
            Recovered recovered = recoverBoth();
            assertTrue(recovered.round() > round);
            assertEquals(again + 1, recovered.nextCall());
            round = recovered.round();
        }
        sumOnBoth();
    }

    @Test
    void shouldGiveUpWhenTheCallerCancels() {
        CompletableFuture<Recovered> given = zero.recover(LONG).subscribeAsCompletionStage();
        awaitBegun();
        given.cancel(false);
        // The rank takes another one when it has given up the first.
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> failure(zero.recover(Duration.ofMillis(1))).kind() == ErrorKind.TIMEOUT);
        ParexException failure = failure(one.recover(Duration.ofMillis(300)));
        assertEquals(ErrorKind.TIMEOUT, failure.kind());
        assertTrue(failure.getMessage().contains("missing=[0] have not called recover"), failure::getMessage);
        recoverBoth();
        sumOnBoth();
    }

    private void awaitBegun() {
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> failure(zero.recover(LIMIT)).getMessage().contains("is being recovered already"));
    }

    @Test
    void shouldGiveUpWhenTheClientIsGone() {
        ParexClient gone = server.client(0);
        Uni<Recovered> lost = gone.recover(LONG);
        awaitBegun();
        gone.close();
        failure(lost);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> failure(zero.recover(Duration.ofMillis(1))).kind() == ErrorKind.TIMEOUT);
        recoverBoth();
        sumOnBoth();
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        for (Duration wrong : new Duration[] {null, Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)}) {
            ParexException refusal = failure(zero.recover(wrong));
            assertEquals(ErrorKind.ARGUMENT, refusal.kind(), refusal::getMessage);
            assertTrue(refusal.wasRefused());
        }
        sumOnBoth();
    }

    /** Its client has left, so that nobody waits for it; whoever comes is let in although the epoch is over. */
    @Test
    void shouldLetAClientInWhileOthersRecover() {
        sumOnBoth();
        zero.close();
        assertEquals(ErrorKind.LEFT, failure(sum(one, 1)).kind());
        Uni<Recovered> other = one.recover(LIMIT);
        Awaitility.await().atMost(LIMIT).until(() -> failure(sum(one, 1)).kind() == ErrorKind.ABORTED);
        zero = server.client(0);
        zero.recover(LIMIT).await().atMost(LIMIT);
        other.await().atMost(LIMIT);
        sumOnBoth();
    }

    /** The connection of a client that was replaced long ago breaks: nobody waits for that one any more. */
    @Test
    void shouldNotFailCallsForAClientThatAnotherHasReplaced() {
        SessionDriver former = crashing(1);
        recoverBoth();
        ClientWork waiting = sum(zero, 1);
        awaitInFlight(1);
        int streams = server.edge().streams().count();
        former.kill();
        Awaitility.await().atMost(LIMIT).until(() -> server.edge().streams().count() < streams);
        sum(one, 1).await().atMost(LIMIT);
        waiting.await().atMost(LIMIT);
    }

    @Test
    void shouldFailCallsForTheOnlyClientOfARankAlsoAfterARecovery() {
        one.close();
        SessionDriver only = crashing(1);
        Uni<Recovered> mine = zero.recover(LIMIT);
        RecoverRpcTest.recover(server, 1);
        mine.await().atMost(LIMIT);
        ClientWork waiting = sum(zero, 1);
        awaitInFlight(1);
        only.kill();
        assertAborted("client of rank 1 closed: connection lost", waiting);
        one = server.client(1);
        recoverBoth();
        sumOnBoth();
    }

    /** What the client called before it knew of the recovery takes no place after it. */
    @Test
    void shouldNotCountWhatWasCalledBeforeAsRefused() {
        SessionDriver pipelined = SessionDriver.open(server, 0);
        Recovered recovered = recoverBoth();
        BarrierCall.Builder late =
                BarrierCall.newBuilder().setHeader(CallHeader.newBuilder().setRound(0));
        BarrierCall.Builder next =
                BarrierCall.newBuilder().setHeader(CallHeader.newBuilder().setRound(recovered.round()));
        pipelined.send(
                Messages.submit(0, Messages.operation(1).setBarrier(late)),
                Messages.submit(0, Messages.operation(2).setBarrier(next)));
        pipelined.assertFails(1, io.parex.v1.ErrorKind.ERROR_KIND_ABORTED, "in round 0, and now is round");
        one.barrier(CALL).await().atMost(LIMIT);
        pipelined.assertCompletes(2);
    }
}
