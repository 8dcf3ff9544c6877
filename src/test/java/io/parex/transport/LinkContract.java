package io.parex.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every kind of link promises. */
abstract class LinkContract {
    private static final int SIZE = 3;

    private final RecordingReceiver[] receivers = new RecordingReceiver[SIZE];
    private Network[] networks;

    /** Networks of {@code size} ranks that are joined. */
    abstract Network[] join(int size);

    /** Waits until all that was sent has arrived. */
    abstract void settle();

    /** Ends what {@link #join} began. */
    abstract void leave();

    @BeforeEach
    void start() {
        networks = join(SIZE);
        for (int rank = 0; rank < SIZE; rank++) {
            receivers[rank] = new RecordingReceiver(networks[rank].loop());
            networks[rank].receive(receivers[rank]);
        }
    }

    @AfterEach
    void end() {
        leave();
    }

    @Test
    void shouldDeliverEachFrameOnceInTheOrderSent() {
        Link link = networks[0].link(1);
        onLoop(0, () -> LongStream.range(0, 1000).forEach(i -> link.send(released(i))));
        assertEquals(LongStream.range(0, 1000).mapToObj(LinkContract::released).toList(), receivers[1].frames());
        assertEquals(List.of(), receivers[2].frames());
    }

    @Test
    void shouldDeliverOnTheReceiversLoopWithTheSendersRank() {
        Link link = networks[2].link(1);
        onLoop(2, () -> link.send(released(1)));
        assertTrue(receivers[1].alwaysOnLoop());
        assertEquals(List.of(2), receivers[1].senders());
    }

    @Test
    void shouldCarryBothDirectionsAndSeveralPeersAtOnce() {
        Link to = networks[0].link(1);
        Link back = networks[1].link(0);
        Link other = networks[0].link(2);
        networks[0]
                .loop()
                .execute(() -> IntStream.range(0, 100).forEach(i -> {
                    to.send(released(i));
                    other.send(released(-i));
                }));
        networks[1].loop().execute(() -> IntStream.range(0, 100).forEach(i -> back.send(released(1000 + i))));
        settle();
        assertEquals(LongStream.range(0, 100).mapToObj(LinkContract::released).toList(), receivers[1].frames());
        assertEquals(LongStream.range(0, 100).mapToObj(i -> released(-i)).toList(), receivers[2].frames());
        assertEquals(
                LongStream.range(1000, 1100).mapToObj(LinkContract::released).toList(), receivers[0].frames());
    }

    @Test
    void shouldReachTheRankItself() {
        Link self = networks[1].link(1);
        onLoop(1, () -> {
            self.send(released(7));
            assertEquals(List.of(), receivers[1].frames(), "delivered while sending");
        });
        assertEquals(List.of(released(7)), receivers[1].frames());
    }

    @Test
    void shouldHandOverCopiedBytesUntilTheReceiverReleasesThem() {
        Link link = networks[0].link(1);
        onLoop(0, () -> link.send(data(networks[0])));
        Frame.Data data = (Frame.Data) receivers[1].frames().getFirst();
        assertEquals(42, data.payload().segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 10));
        assertTrue(networks[0].pool().usedBytes() > 0);
        data.payload().release();
        assertEquals(0, networks[0].pool().usedBytes());
    }

    @Test
    void shouldShowLentBytesAsTheyAreInTheSendersMemory() {
        Link link = networks[0].link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64);
            onLoop(0, () -> link.send(new Frame.Data(1, 0, Payload.lent(memory), true)));
            memory.fill((byte) 9);
            Frame.Data data = (Frame.Data) receivers[1].frames().getFirst();
            assertEquals(-1, data.payload().segment().mismatch(memory));
        }
    }

    @Test
    void shouldTellOfTheCloseAfterTheFramesSentBefore() {
        Link link = networks[0].link(1);
        onLoop(0, () -> {
            link.send(released(1));
            link.close("done");
            link.close("again");
        });
        assertEquals(List.of(released(1)), receivers[1].frames());
        assertEquals(List.of("0 done"), receivers[1].closes());
        assertEquals(1, receivers[1].framesBeforeClose());
    }

    @Test
    void shouldDropWhatIsSentAfterTheCloseAndReleaseItsBytes() {
        Link link = networks[0].link(1);
        onLoop(0, () -> {
            link.close("done");
            link.send(released(1));
            link.send(data(networks[0]));
        });
        assertEquals(List.of(), receivers[1].frames());
        assertEquals(0, networks[0].pool().usedBytes());
    }

    @Test
    void shouldNotCloseTheOtherDirection() {
        Link link = networks[0].link(1);
        Link back = networks[1].link(0);
        onLoop(0, () -> link.close("done"));
        onLoop(1, () -> back.send(released(5)));
        assertEquals(List.of(released(5)), receivers[0].frames());
        assertEquals(List.of(), receivers[0].closes());
    }

    private void onLoop(int rank, Runnable task) {
        Throwable[] failure = new Throwable[1];
        networks[rank].loop().execute(() -> {
            try {
                task.run();
            } catch (Throwable e) {
                failure[0] = e;
            }
        });
        settle();
        assertSame(null, failure[0]);
    }

    private static Frame released(long number) {
        return new Frame.Released(number, number);
    }

    private static Frame data(Network network) {
        var buffer = network.pool().acquire(64);
        buffer.segment().fill((byte) 42);
        return new Frame.Data(1, 0, Payload.copied(buffer), true);
    }
}
