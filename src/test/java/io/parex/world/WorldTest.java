package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.schedule.Primitive;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** What a rank tells about itself and its operations. */
class WorldTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    @OnEveryTransport
    void shouldTellObserversOfEachOperationOnce(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<CallRecord> records = new CopyOnWriteArrayList<>();
            world.worlds().get(1).observe(records::add);
            TensorView tensor = Tensors.floats(1, 2, 3);
            world.succeed(world.onAll(group -> group.allReduce(
                    Tensors.floats(1, 2, 3), Tensors.floats(0, 0, 0), ReduceOp.SUM, DEFAULT.withAlgorithm("ring"))));
            world.await(world.group(0).isend(tensor, 1, 4, DEFAULT));
            world.await(world.group(1).irecv(tensor, 0, 4, DEFAULT));
            Work barrier = world.group(1).barrier(DEFAULT);
            world.pass(Duration.ofMillis(100));
            barrier.cancel("enough");
            world.failure(ErrorKind.CANCELLED, barrier);
            world.passUntil(() -> records.size() == 3, "not three operations");
            assertRecord(records.get(0), 0, Primitive.ALL_REDUCE, "ring", DataType.FLOAT32, null);
            assertRecord(records.get(1), -1, Primitive.IRECV, "direct", DataType.FLOAT32, null);
            assertRecord(records.get(2), 1, Primitive.BARRIER, "dissemination", null, ErrorKind.CANCELLED);
            assertEquals(12, records.getFirst().bytes());
            assertEquals(ReduceOp.SUM, records.getFirst().op());
            assertTrue(
                    records.get(2).durationNanos() >= 90_000_000, records.get(2).toString());
        }
    }

    private static void assertRecord(
            CallRecord record, long number, Primitive primitive, String algorithm, DataType type, ErrorKind outcome) {
        assertEquals(1, record.rank());
        assertEquals("world", record.group());
        assertEquals(number, record.number());
        assertEquals(primitive, record.primitive());
        assertEquals(algorithm, record.algorithm());
        assertEquals(type, record.type());
        assertEquals(outcome, record.outcome());
        assertEquals(2, record.size());
        assertTrue(record.waitNanos() <= record.durationNanos(), record.toString());
    }

    @OnEveryTransport
    void shouldTellHowLongACallWaitedForOthers(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<CallRecord> early = new CopyOnWriteArrayList<>();
            List<CallRecord> late = new CopyOnWriteArrayList<>();
            world.worlds().get(0).observe(early::add);
            world.worlds().get(1).observe(late::add);
            Work first = world.group(0).barrier(DEFAULT);
            world.pass(Duration.ofMillis(300));
            world.succeed(List.of(first, world.group(1).barrier(DEFAULT)));
            world.passUntil(() -> early.size() == 1 && late.size() == 1, "not told");
            assertTrue(early.getFirst().waitNanos() >= 280_000_000, early.toString());
            assertTrue(late.getFirst().waitNanos() <= 200_000_000, late.toString());
        }
    }

    @OnEveryTransport
    void shouldCountTheBytesToAndFromEachPeer(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            TensorView received = Tensors.zeros(DataType.UINT8, 100_000);
            Work send = world.group(0).isend(Tensors.pattern(100_000, 1), 2, 0, DEFAULT);
            world.await(world.group(2).irecv(received, 0, 0, DEFAULT));
            world.await(send);
            assertEquals(List.of(new PeerStats(2, true, 0, 100_000, 1)), traffic(world, 0));
            assertEquals(List.of(), traffic(world, 1));
            assertEquals(List.of(new PeerStats(0, true, 100_000, 0, 0)), traffic(world, 2));
        }
    }

    private static List<PeerStats> traffic(Harness world, int rank) {
        return world.worlds().get(rank).peers().stream()
                .filter(peer -> peer.bytesIn() + peer.bytesOut() > 0)
                .toList();
    }

    @Test
    void shouldSayWhoItIs() {
        try (LocalWorld world = LocalWorld.start(3, WorldOptions.DEFAULT.withName("training"))) {
            World rank = world.rank(1);
            assertEquals("training", rank.name());
            assertEquals(1, rank.rank());
            assertEquals(3, rank.size());
            assertEquals("world", rank.group().name());
            assertEquals(1, rank.group().rank());
            assertEquals(3, rank.group().size());
            assertEquals(world.ranks().get(1), rank);
        }
        for (int size : new int[] {0, -1, 1025}) {
            ParexException refusal =
                    assertThrows(ParexException.class, () -> LocalWorld.start(size, WorldOptions.DEFAULT));
            assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        }
    }

    /** What a peer says may be nonsense: the calls that run fail and say so, the rank goes on. */
    @Test
    void shouldFailWhatRunsWhenAPeerBreaksTheProtocol() {
        try (SimulatedHarness world = new SimulatedHarness(2, WorldOptions.DEFAULT, 1, Simulation.Weather.CALM)) {
            Work recv = world.group(1).irecv(Tensors.ints(0), 0, 9, DEFAULT);
            world.simulation()
                    .tamper(frame ->
                            frame instanceof Frame.Envelope ? new Frame.Lives(List.of(new Life(77, 1, 1))) : frame);
            world.await(world.group(0).isend(Tensors.ints(1), 1, 9, DEFAULT));
            String text = world.failure(ErrorKind.PROTOCOL, recv);
            assertTrue(text.startsWith("internal error on rank 1: "), text);
            world.simulation().tamper(frame -> frame);
            world.assertUsable();
        }
    }
}
