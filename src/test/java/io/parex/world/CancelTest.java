package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Operations ended by their caller: what ends with them, what does not, and that all memory comes back. */
class CancelTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final int LARGE = 300_000;

    @OnEveryTransport
    void shouldForgetAReceiveThatNoMessageHasMatched(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView never = Tensors.ints(7);
            Work cancelled = world.group(1).irecv(never, 0, 0, DEFAULT);
            cancelled.cancel("changed my mind");
            String text = world.failure(ErrorKind.CANCELLED, cancelled);
            assertTrue(text.startsWith("cancelled: changed my mind [irecv of int32 x 1 on rank 1 from rank 0"), text);
            TensorView received = Tensors.ints(0);
            world.await(world.group(0).isend(Tensors.ints(3), 1, 0, DEFAULT));
            world.await(world.group(1).irecv(received, 0, 0, DEFAULT));
            assertEquals(3, Tensors.intValues(received)[0]);
            assertEquals(7, Tensors.intValues(never)[0]);
        }
    }

    @OnEveryTransport
    void shouldTakeBackASendThatNoReceiveHasMatched(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            Work cancelled = world.group(0).isend(Tensors.pattern(LARGE, 1), 1, 0, DEFAULT);
            world.pass(Duration.ofMillis(200));
            cancelled.cancel("not needed");
            String text = world.failure(ErrorKind.CANCELLED, cancelled);
            assertTrue(text.startsWith("cancelled: not needed [isend of uint8 x 300000 from rank 0 to rank 1"), text);
            world.pass(Duration.ofMillis(200));
            TensorView received = Tensors.zeros(DataType.UINT8, LARGE);
            Work send = world.group(0).isend(Tensors.pattern(LARGE, 2), 1, 0, DEFAULT);
            world.await(world.group(1).irecv(received, 0, 0, DEFAULT));
            world.await(send);
            Tensors.assertSame(Tensors.pattern(LARGE, 2), received, "the second message");
        }
    }

    @OnEveryTransport
    void shouldNotTakeBackAMessageThatHasBeenCopied(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            Work send = world.group(0).isend(Tensors.ints(3), 1, 0, DEFAULT);
            world.await(send);
            send.cancel("too late");
            world.pass(Duration.ofMillis(50));
            TensorView received = Tensors.ints(0);
            world.await(world.group(1).irecv(received, 0, 0, DEFAULT));
            assertEquals(3, Tensors.intValues(received)[0]);
            world.await(send);
        }
    }

    @OnEveryTransport
    void shouldEndBothSidesOfAMatchedMessageWhoeverCancels(Harness.Factory factory) {
        for (boolean bySender : new boolean[] {true, false}) {
            try (Harness world = factory.start(2)) {
                // The receive takes no more than its window, which nobody empties.
                TensorStream stuck =
                        TensorStream.through(Tensors.zeros(DataType.UINT8, 1000).segment(), DataType.UINT8, LARGE);
                Work recv = world.group(1).submit(Call.recv(stuck, 0, 0, DEFAULT));
                Work send = world.group(0).isend(Tensors.pattern(LARGE, 1), 1, 0, DEFAULT);
                world.pass(Duration.ofMillis(200));
                assertFalse(send.isDone() || recv.isDone());
                (bySender ? send : recv).cancel("enough");
                String sender = world.failure(ErrorKind.CANCELLED, send);
                String receiver = world.failure(ErrorKind.CANCELLED, recv);
                String first = bySender ? sender : receiver;
                String second = bySender ? receiver : sender;
                assertTrue(first.startsWith("cancelled: enough [i"), first);
                assertTrue(
                        second.startsWith(
                                (bySender ? "the sender ended the message" : "refused") + ": cancelled: enough"),
                        second);
                assertTrue(receiver.contains("; the buffer holds part of the message"), receiver);
                world.assertUsable();
            }
        }
    }

    /** Whatever the moment: both sides agree whether the message arrived, and no memory stays lent. */
    @Test
    void shouldAgreeOnTheOutcomeWheneverEitherSideGivesUp() {
        int arrived = 0;
        for (int seed = 0; seed < 150; seed++) {
            Random random = new Random(seed);
            try (Harness world = new SimulatedHarness(2, WorldOptions.DEFAULT, seed, Simulation.Weather.ROUGH)) {
                int count = 16_385 + random.nextInt(1_000_000);
                TensorView sent = Tensors.filled(DataType.INT32, count, i -> i);
                TensorView received = Tensors.zeros(DataType.INT32, count);
                Work send = world.group(0).isend(sent, 1, 0, DEFAULT);
                Work recv = world.group(1).irecv(received, 0, 0, DEFAULT);
                Work victim = random.nextBoolean() ? send : recv;
                world.after(Duration.ofNanos(random.nextInt(8_000_000)), () -> victim.cancel("now"));
                world.settle(List.of(send, recv));
                boolean done = isSuccess(recv);
                assertEquals(done, isSuccess(send), "seed " + seed);
                if (done) {
                    Tensors.assertSame(sent, received, "seed " + seed);
                    arrived++;
                }
            }
        }
        assertTrue(arrived > 20 && arrived < 130, arrived + " of 150 messages arrived");
    }

    private static boolean isSuccess(Work work) {
        try {
            work.await();
            return true;
        } catch (ParexException e) {
            return false;
        }
    }

    @OnEveryTransport
    void shouldEndACollectiveOnAllMembers(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            Work first = world.group(0).barrier(DEFAULT);
            Work second = world.group(1).barrier(DEFAULT);
            world.pass(Duration.ofMillis(50));
            second.cancel("stop");
            String own = world.failure(ErrorKind.CANCELLED, second);
            assertTrue(own.startsWith("cancelled: stop [rank 1 of group world, call #0 barrier("), own);
            String others = world.failure(ErrorKind.CANCELLED, first);
            assertTrue(others.startsWith("cancelled: stop [rank 0 of group world, call #0 barrier("), others);
            assertTrue(others.contains(", found by rank 1]"), others);
            world.failure(ErrorKind.CANCELLED, world.group(2).barrier(DEFAULT));
            world.assertUsable();
        }
    }
}
