package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.client.ClientOptions;
import io.parex.client.ParexClient;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A writer that never stops and a reader that does, small enough for every build; BackPressureIT is the large one. */
class FlowControlTest {
    private static final long COUNT = 32 << 20;

    /** Two windows, the connections' buffers of both sides, and a chunk here and there. */
    private static final long MOST_UNDERWAY = 24 << 20;

    @Test
    void shouldHoldTheWriterWhileTheReaderDoesNotRead() {
        try (EdgeServer server = EdgeServer.of(2)) {
            StoppingReader reader = StoppingReader.start(server.stub(), COUNT, 1, 0);
            SteadyWriter writer = SteadyWriter.start(server.stub(), COUNT, 0, 1);
            reader.readTo(1 << 20);
            assertHeld(writer);
            reader.readTo(32 << 20);
            assertHeld(writer);
            try (ParexClient zero = server.client(0);
                    ParexClient one = server.client(1)) {
                zero.barrier(ClientOptions.DEFAULT);
                one.barrier(ClientOptions.DEFAULT).await().atMost(Duration.ofSeconds(10));
            }
            reader.readToEnd();
            writer.awaitEnd();
        }
    }

    /** C107: a client that breaks off a download in the middle. */
    @Test
    void shouldEndTheCallOfAReaderThatIsGone() {
        try (EdgeServer server = EdgeServer.of(2)) {
            StoppingReader reader = StoppingReader.start(server.stub(), COUNT, 1, 0);
            SteadyWriter writer = SteadyWriter.start(server.stub(), COUNT, 0, 1);
            reader.readTo(10 << 20);
            reader.kill();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .until(() -> server.edge().inFlight().count() == 0);
            assertEquals(0, server.edge().staging().usedBytes());
            CompletionException failure = assertThrows(CompletionException.class, writer::awaitEnd);
            assertTrue(
                    Details.callError(failure.getCause()).getMessage().contains("client of rank 1 cancelled the RPC"));
            try (ParexClient zero = server.client(0);
                    ParexClient one = server.client(1)) {
                zero.barrier(ClientOptions.DEFAULT);
                one.barrier(ClientOptions.DEFAULT).await().atMost(Duration.ofSeconds(10));
            }
        }
    }

    /** The writer comes to a stop, far from the end of its tensor. */
    static void assertHeld(SteadyWriter writer) {
        long[] last = {-1};
        Awaitility.await()
                .pollInterval(Duration.ofMillis(300))
                .atMost(Duration.ofSeconds(20))
                .until(() -> {
                    boolean stopped = writer.writtenBytes() == last[0];
                    last[0] = writer.writtenBytes();
                    return stopped;
                });
        assertTrue(last[0] <= (32 << 20) + MOST_UNDERWAY, () -> last[0] + " bytes were taken from the writer");
    }
}
