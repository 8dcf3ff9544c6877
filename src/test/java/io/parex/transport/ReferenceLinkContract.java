package io.parex.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** What links promise, besides, that hand frames over as they are. */
abstract class ReferenceLinkContract extends LinkContract {

    @Test
    void shouldHandOverCopiedBytesUntilTheReceiverReleasesThem() {
        Link link = network(0).link(1);
        onLoop(0, () -> link.send(data(network(0))));
        Frame.Data data = (Frame.Data) receiver(1).frames().getFirst();
        assertEquals(42, data.payload().segment().get(java.lang.foreign.ValueLayout.JAVA_BYTE, 10));
        assertTrue(network(0).pool().usedBytes() > 0);
        data.payload().release();
        assertEquals(0, network(0).pool().usedBytes());
    }

    @Test
    void shouldShowLentBytesAsTheyAreInTheSendersMemory() {
        Link link = network(0).link(1);
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(64);
            onLoop(0, () -> link.send(new Frame.Data(1, 0, Payload.lent(memory), true)));
            memory.fill((byte) 9);
            Frame.Data data = (Frame.Data) receiver(1).frames().getFirst();
            assertEquals(-1, data.payload().segment().mismatch(memory));
        }
    }
}
