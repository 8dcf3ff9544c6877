package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The end of a link, from every state that it can be in: told once, no copy kept, no memory referred to. */
class LinkEndTest {
    private static final int LARGE = 200_000;

    /** What has happened to the near side of a link before its end. */
    static Stream<Named<Consumer<Pairing>>> states() {
        List<Named<Consumer<Pairing>>> states = new ArrayList<>();
        states.add(Named.of("never connected", pairing -> {}));
        states.add(Named.of("never connected, things to send", LinkEndTest::fill));
        states.add(Named.of("connected, not resumed", pairing -> {
            fill(pairing);
            pairing.connect();
        }));
        states.add(Named.of("idle", LinkEndTest::join));
        states.add(Named.of("written, nothing sent", pairing -> {
            join(pairing);
            fill(pairing);
        }));
        states.add(Named.of("in the middle of a frame", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.far.arrive(pairing.near.carrier.take(70_000));
        }));
        states.add(Named.of("sent, not acknowledged", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.far.arrive(pairing.near.carrier.takeAll());
        }));
        states.add(Named.of("acknowledged, not let go", pairing -> {
            join(pairing);
            pairing.near.carrier.cling();
            fill(pairing);
            pairing.far.arrive(pairing.near.carrier.takeAll());
            pairing.near.arrive(pairing.far.carrier.takeAll());
        }));
        states.add(Named.of("connection full", pairing -> {
            join(pairing);
            pairing.near.carrier.writable(false);
            fill(pairing);
        }));
        addBroken(states);
        return states.stream();
    }

    private static void addBroken(List<Named<Consumer<Pairing>>> states) {
        states.add(Named.of("withdrawing", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.near.send(new Frame.Withdraw(1, new Failure(ErrorKind.ABORTED, 0, "no")));
        }));
        states.add(Named.of("cut", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.far.arrive(pairing.near.carrier.take(70_000));
            pairing.cut();
        }));
        states.add(Named.of("resuming", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.far.arrive(pairing.near.carrier.take(70_000));
            pairing.cut();
            pairing.connect();
        }));
        states.add(Named.of("closing", pairing -> {
            join(pairing);
            fill(pairing);
            pairing.near.link.close("done");
            pairing.timing.run();
        }));
    }

    private static void join(Pairing pairing) {
        pairing.connect();
        pairing.flow();
    }

    private static void fill(Pairing pairing) {
        pairing.near.send(
                Pairing.lent(1, Pairing.memory(LARGE, 0)),
                pairing.copied(2, Pairing.memory(LARGE, 1)),
                Pairing.note(3),
                new Frame.Leave(1, 1),
                pairing.copied(3, Pairing.memory(LARGE, 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void shouldEndOnceWhenThePeerIsLost(Consumer<Pairing> before) {
        Pairing pairing = new Pairing();
        before.accept(pairing);
        Side near = pairing.near;
        near.link.lost("gone");
        near.link.lost("gone again");
        assertTrue(near.carrier == null || near.carrier.isClosed(), "the connection is given up");
        near.detachIfClosed();
        assertEnded(pairing, "gone");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void shouldEndOnceWhenThePeerClosesAndTheConnectionThenBreaks(Consumer<Pairing> before) {
        Pairing pairing = new Pairing();
        before.accept(pairing);
        pairing.far.link.close("far end");
        if (pairing.near.carrier == null) {
            pairing.connect();
        }
        pairing.timing.run();
        byte[] hers = pairing.near.carrier.take(60);
        pairing.far.arrive(hers);
        pairing.near.arrive(pairing.far.carrier.takeAll());
        pairing.near.arrive(pairing.far.carrier.takeAll());
        assertTrue(pairing.near.link.isGone(), "heard of the close");
        pairing.near.detach();
        assertEnded(pairing, "far end");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void shouldEndInOrderWhenThePeerCloses(Consumer<Pairing> before) {
        Pairing pairing = new Pairing();
        before.accept(pairing);
        pairing.far.link.close("far end");
        if (pairing.near.carrier == null) {
            pairing.connect();
        }
        pairing.near.carrier.writable(true);
        pairing.settle();
        pairing.near.carrier.letGo();
        pairing.settle();
        assertEquals(List.of("far end"), pairing.near.user.closes);
        assertEquals(0, pairing.pool.usedBytes(), "copies");
        assertTrue(pairing.near.link.isFlushed(), "what was on its way is through");
        assertSilent(pairing);
    }

    private static void assertEnded(Pairing pairing, String reason) {
        assertEquals(List.of(reason), pairing.near.user.closes);
        assertEquals(0, pairing.pool.usedBytes(), "copies");
        assertFalse(pairing.near.link.needsConnection());
        assertTrue(pairing.near.link.isFlushed(), "nobody waits for what can never arrive");
        assertSilent(pairing);
        pairing.near.link.close("now too");
        pairing.timing.run();
        assertTrue(pairing.near.link.isFlushed(), "nobody waits for a close that can never arrive");
    }

    /** Nothing is told after the end, and what is sent after it goes nowhere. */
    private static void assertSilent(Pairing pairing) {
        int told = pairing.near.user.told.size();
        MemorySegment memory = Pairing.memory(5000, 0);
        pairing.near.send(pairing.copied(8, memory), Pairing.lent(9, memory), Pairing.note(9));
        pairing.timing.pass(5 * LinkLimits.WITHDRAW_WITHIN);
        assertEquals(told, pairing.near.user.told.size(), pairing.near.user.told.toString());
        assertEquals(0, pairing.pool.usedBytes(), "copies sent after the end");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void shouldKeepTheLossBackUntilTheMemoryIsLetGo(Consumer<Pairing> before) {
        Pairing pairing = new Pairing();
        before.accept(pairing);
        Side near = pairing.near;
        boolean held = near.carrier != null && near.carrier.isHeld();
        near.link.lost("gone");
        assertEquals(held ? 0 : 1, near.user.closes.size());
        near.detachIfClosed();
        assertEquals(1, near.user.closes.size());
    }
}
