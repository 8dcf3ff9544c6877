package io.parex.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every kind of link promises. */
public abstract class LinkContract {
    private static final int SIZE = 3;
    private static final int TENSOR_BYTES = 300_008;

    private final RecordingReceiver[] receivers = new RecordingReceiver[SIZE];
    private Network[] networks;

    /** Networks of {@code size} ranks that are joined. */
    protected abstract Network[] join(int size);

    /** Waits until all that was sent has arrived. */
    protected abstract void settle();

    /** Ends what {@link #join} began. */
    protected abstract void leave();

    /** What rank {@code rank} has been told. */
    protected final RecordingReceiver receiver(int rank) {
        return receivers[rank];
    }

    /** What rank {@code rank} sees. */
    protected final Network network(int rank) {
        return networks[rank];
    }

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
                    other.send(released(5000 + i));
                }));
        networks[1].loop().execute(() -> IntStream.range(0, 100).forEach(i -> back.send(released(1000 + i))));
        settle();
        assertEquals(LongStream.range(0, 100).mapToObj(LinkContract::released).toList(), receivers[1].frames());
        assertEquals(LongStream.range(0, 100).mapToObj(i -> released(5000 + i)).toList(), receivers[2].frames());
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
    void shouldBringTheBytesOfATensorWhole() {
        Link link = networks[0].link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(TENSOR_BYTES);
            for (int i = 0; i < TENSOR_BYTES; i++) {
                memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 / 7));
            }
            onLoop(0, () -> {
                link.send(new Frame.Data(5, 0, Payload.lent(memory.asSlice(0, TENSOR_BYTES / 2)), false));
                link.send(new Frame.Data(5, TENSOR_BYTES / 2, Payload.lent(memory.asSlice(TENSOR_BYTES / 2)), true));
            });
            assertEquals(-1, receivers[1].tensor(5, TENSOR_BYTES).mismatch(memory));
        }
    }

    @Test
    void shouldReleaseCopiesInTheEnd() {
        Link link = networks[0].link(1);
        onLoop(0, () -> link.send(data(networks[0])));
        assertEquals((byte) 42, receivers[1].tensor(1, 64).get(ValueLayout.JAVA_BYTE, 10));
        receivers[1].frames().forEach(frame -> ((Frame.Data) frame).payload().release());
        assertEquals(0, networks[0].pool().usedBytes());
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

    /** Runs {@code task} on the loop of rank {@code rank}, and lets what it sends arrive. */
    protected final void onLoop(int rank, Runnable task) {
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

    static Frame released(long number) {
        return new Frame.Released(number, number);
    }

    static Frame data(Network network) {
        var buffer = network.pool().acquire(64);
        buffer.segment().fill((byte) 42);
        return new Frame.Data(1, 0, Payload.copied(buffer), true);
    }
}
