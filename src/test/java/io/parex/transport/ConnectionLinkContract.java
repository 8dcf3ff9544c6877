package io.parex.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What links promise, besides, that carry bytes over connections. */
public abstract class ConnectionLinkContract extends LinkContract {
    private static final int BYTES = 200_000;

    @Test
    void shouldGiveLentMemoryBackWhenThePeerHasTheBytes() {
        Link link = network(0).link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BYTES);
            onLoop(0, () -> link.send(new Frame.Data(3, 0, Payload.lent(memory), true)));
            assertEquals("3 " + BYTES, receiver(0).returned().getLast());
        }
    }

    @Test
    void shouldLetControlFramesOvertakeTensors() {
        Link link = network(0).link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BYTES);
            onLoop(0, () -> {
                link.send(new Frame.Data(3, 0, Payload.lent(memory), true));
                link.send(new Frame.Opened(1, 2));
            });
            assertEquals(new Frame.Opened(1, 2), receiver(1).frames().getFirst());
        }
    }

    @Test
    void shouldSendNothingMoreOfAWithdrawnTransfer() {
        Link link = network(0).link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BYTES);
            Frame withdraw = new Frame.Withdraw(3, new io.parex.protocol.Failure(io.parex.ErrorKind.ABORTED, 0, "no"));
            onLoop(0, () -> {
                link.send(new Frame.Data(3, 0, Payload.lent(memory), true));
                link.send(withdraw);
            });
            assertEquals(withdraw, receiver(1).frames().getFirst());
            assertEquals(1, receiver(1).frames().size());
            assertTrue(receiver(0).returned().isEmpty());
        }
    }

    @Test
    void shouldLetALeaveOvertakeNothing() {
        Link link = network(0).link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BYTES);
            Frame leave = new Frame.Leave(1, 2);
            onLoop(0, () -> {
                link.send(new Frame.Data(3, 0, Payload.lent(memory), true));
                link.send(leave);
            });
            assertEquals(leave, receiver(1).frames().getLast());
        }
    }
}
