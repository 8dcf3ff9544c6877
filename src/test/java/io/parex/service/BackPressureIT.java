package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.parex.client.ParexClient;
import io.parex.v1.ParexGrpc;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A tensor many times larger than all memory of the server, from a writer that never stops to a reader that does: the
 * server's memory stays bounded, the calls of others keep their latency, and when the reader goes on, every byte is
 * right.
 */
@Tag("slow")
class BackPressureIT {
    private static final long MIB = 1 << 20;
    private static final long HEAP_BYTES = 256 * MIB;
    private static final long DIRECT_BYTES = 64 * MIB;

    /** Of the writer's and the reader's connection, both ends: what the kernel may take by its defaults. */
    private static final long SOCKET_BYTES = 4 * 6 * MIB;

    /** One for what is sent, one for what is received. */
    private static final long WINDOW_BYTES = 2 * 4 * MIB;

    /** Code, class data, the archive of classes, threads and the collector's own; some 130 MiB when idle. */
    private static final long FIXED_BYTES = 192 * MIB;

    private static final long TENSOR_BYTES = 2048 * MIB;

    /** "The same order": the machine of the test has other work, too. */
    private static final int MAX_SLOWDOWN = 10;

    @Test
    void shouldBoundMemoryWhileTheReaderStops() throws Exception {
        assertTrue(TENSOR_BYTES >= 4 * (HEAP_BYTES + DIRECT_BYTES + SOCKET_BYTES));
        Map<String, String> flags = Map.of(
                "PAREX_JAVA_OPTS", "-Xmx" + HEAP_BYTES / MIB + "m -XX:MaxDirectMemorySize=" + DIRECT_BYTES / MIB + "m");
        try (ServedWorld served = ServedWorld.start(2, flags);
                ParexClient zero = served.client(0);
                ParexClient one = served.client(1)) {
            ManagedChannel writing = served.channel();
            ManagedChannel reading = served.channel();
            try {
                // Once to warm up.
                CallLatency.medianMicros(zero, one);
                long idleMicros = CallLatency.medianMicros(zero, one);
                long count = TENSOR_BYTES / Integer.BYTES;
                StoppingReader reader = StoppingReader.start(ParexGrpc.newStub(reading), count, 1, 0);
                SteadyWriter writer = SteadyWriter.start(ParexGrpc.newStub(writing), count, 0, 1);
                reader.readTo(8 * MIB);
                FlowControlTest.assertHeld(writer);
                long stalledMicros = CallLatency.medianMicros(zero, one);
                reader.readToEnd();
                writer.awaitEnd();
                report(idleMicros, stalledMicros, served.peakResidentBytes());
            } finally {
                writing.shutdownNow();
                reading.shutdownNow();
            }
        }
    }

    private static void report(long idleMicros, long stalledMicros, long peakBytes) {
        System.out.printf(
                "median call idle %d us, beside a stalled one %d us; peak resident %d MiB%n",
                idleMicros, stalledMicros, peakBytes / MIB);
        assertTrue(
                stalledMicros <= MAX_SLOWDOWN * idleMicros,
                () -> stalledMicros + " us a call beside a stalled one, " + idleMicros + " us without");
        long limit = HEAP_BYTES + DIRECT_BYTES + WINDOW_BYTES + FIXED_BYTES;
        assertTrue(peakBytes <= limit, () -> peakBytes / MIB + " MiB were resident, " + limit / MIB + " are allowed");
    }
}
