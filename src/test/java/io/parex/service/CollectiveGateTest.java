package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.BarrierCall;
import io.parex.v1.CallHeader;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CollectiveGateTest {
    private final HostedRanks ranks = new HostedRanks(LocalWorld.start(2, WorldOptions.DEFAULT), "test");
    private final CollectiveGate gate = new CollectiveGate();
    private final Party session = Party.session("session 'a'");
    private final Party rpc = Party.rpc("a barrier RPC");

    @AfterEach
    void stop() {
        ranks.close();
    }

    private CallPlan call(int rank, String name) {
        return CallReader.of(ranks, rank)
                .barrier(BarrierCall.newBuilder()
                        .setHeader(CallHeader.newBuilder().setName(name))
                        .build());
    }

    private void assertRefused(Party party, CallPlan plan) {
        ParexException refusal = assertThrows(ParexException.class, () -> gate.enter(party, plan));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains("only if both name all their calls"), refusal::getMessage);
    }

    @Test
    void shouldRefuseASecondPartyUntilTheFirstIsGone() {
        gate.enter(session, call(0, ""));
        gate.enter(session, call(0, ""));
        assertRefused(rpc, call(0, ""));
        assertRefused(rpc, call(0, "named"));
        gate.leave(session, call(0, ""));
        assertRefused(rpc, call(0, ""));
        gate.leave(session);
        gate.enter(rpc, call(0, ""));
    }

    @Test
    void shouldLetAPlainRpcGoWithItsCall() {
        CallPlan plan = call(0, "");
        gate.enter(rpc, plan);
        assertRefused(session, call(0, ""));
        gate.leave(rpc, plan);
        gate.enter(session, call(0, ""));
    }

    @Test
    void shouldLetTwoPartiesInThatNameTheirCalls() {
        gate.enter(session, call(0, "x"));
        gate.enter(rpc, call(0, "y"));
        assertRefused(session, call(0, ""));
    }

    @Test
    void shouldNotMixRanks() {
        gate.enter(session, call(0, ""));
        gate.enter(rpc, call(1, ""));
    }
}
