package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.AvailableMemory;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** C33: one message of more than 2 GiB over gRPC, through windows of a few MiB. */
@Tag("slow")
@Timeout(600)
class LargeMessageIT {
    private static final long BYTES = (1L << 31) + 1;

    /** No divisor of any chunk. */
    private static final int PIECE_BYTES = 7_000_003;

    @Test
    void shouldSendMoreBytesThanAnIntCounts() {
        AvailableMemory.require(2 * BYTES);
        ClientOptions call = ClientOptions.DEFAULT.withTimeout(Duration.ofMinutes(5));
        try (EdgeServer server = EdgeServer.of(2);
                Arena arena = Arena.ofShared();
                ParexClient zero = server.client(0);
                ParexClient one = server.client(1)) {
            MemorySegment sent = arena.allocate(BYTES);
            MemorySegment piece = arena.allocate(PIECE_BYTES);
            for (int i = 0; i < PIECE_BYTES; i++) {
                piece.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + (i >> 8)));
            }
            for (long at = 0; at < BYTES; at += PIECE_BYTES) {
                MemorySegment.copy(piece, 0, sent, at, Math.min(PIECE_BYTES, BYTES - at));
            }
            MemorySegment received = arena.allocate(BYTES);
            ClientWork send = zero.send(new TensorView(sent, DataType.UINT8, BYTES), 1, call);
            ClientWork recv = one.recv(new TensorView(received, DataType.UINT8, BYTES), 0, call);
            assertEquals(BYTES, recv.await().atMost(Duration.ofMinutes(5)).count());
            send.await().atMost(Duration.ofMinutes(1));
            assertEquals(-1, sent.mismatch(received));
        }
    }
}
