package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A sender that is far ahead of its receiver is held back; memory stays bounded and nobody else is held up. */
class FloodTest {
    private static final long POOL_BYTES = 16 << 20;
    private static final int BATCH = 500;

    /** C56: messages of 64 KiB that nobody receives for a while. */
    @Test
    void shouldHoldBackAFloodOfFullEagerMessages() {
        flood(Harness.Factory.LOCAL, 20_000, 16_384, 64);
        flood(Harness.Factory.CALM, 2_000, 16_384, 64);
    }

    @Test
    void shouldHoldBackAFloodOfSmallMessages() {
        flood(Harness.Factory.LOCAL, 100_000, 1024, 1024);
        flood(Harness.Factory.CALM, 10_000, 1024, 1024);
    }

    /** Message i holds the integers from i on. */
    private static void flood(Harness.Factory factory, int messages, int count, int eagerMessages) {
        WorldOptions options =
                WorldOptions.DEFAULT.withCopyPoolBytes(POOL_BYTES).withCallTimeout(Duration.ofSeconds(60));
        TensorView numbers = Tensors.filled(DataType.INT32, messages + count, i -> i);
        try (Harness world = factory.start(3, options)) {
            List<Work> sends = new ArrayList<>();
            for (int i = 0; i < messages; i++) {
                sends.add(world.group(0).isend(numbers.slice(i, count), 1, 0, CallOptions.DEFAULT));
            }
            world.passUntil(() -> sends.get(eagerMessages - 1).isDone(), "the first messages are held back too");
            world.pass(Duration.ofMillis(300));
            assertEquals(eagerMessages, sends.stream().filter(Work::isDone).count());
            assertEquals(messages - eagerMessages, world.worlds().get(0).inFlight());
            assertTrue(world.worlds().get(0).scratchBytes() <= 4 << 20, "copies of more than a peer's share");
            shouldServeOtherPairs(world);
            shouldArriveInOrder(world, messages, count);
            world.succeed(sends);
        }
    }

    private static void shouldServeOtherPairs(Harness world) {
        for (int[] pair : new int[][] {{0, 2}, {2, 1}, {1, 0}}) {
            TensorView sent = Tensors.pattern(300_000, pair[0]);
            TensorView received = Tensors.zeros(DataType.UINT8, 300_000);
            Work send = world.group(pair[0]).isend(sent, pair[1], 1, CallOptions.DEFAULT);
            world.await(world.group(pair[1]).irecv(received, pair[0], 1, CallOptions.DEFAULT));
            world.await(send);
            Tensors.assertSame(sent, received, "from rank " + pair[0] + " to rank " + pair[1]);
        }
        assertFalse(world.worlds().get(0).inFlight() == 0);
    }

    private static void shouldArriveInOrder(Harness world, int messages, int count) {
        List<TensorView> slots = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
            slots.add(Tensors.zeros(DataType.INT32, count));
        }
        for (int first = 0; first < messages; first += BATCH) {
            world.succeed(slots.stream()
                    .map(slot -> world.group(1).irecv(slot, 0, 0, CallOptions.DEFAULT))
                    .toList());
            for (int i = 0; i < BATCH; i++) {
                assertEquals(first + i, slots.get(i).segment().getAtIndex(ValueLayout.JAVA_INT, 0));
                assertEquals(first + i + count - 1, slots.get(i).segment().getAtIndex(ValueLayout.JAVA_INT, count - 1));
            }
            assertTrue(world.worlds().get(0).scratchBytes() <= POOL_BYTES);
        }
    }
}
