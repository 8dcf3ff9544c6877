package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.ManagedChannel;
import io.parex.client.ParexClient;
import io.parex.v1.ParexGrpc;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tensors larger than the server's memory on their way to clients that go away, or are slow. */
@Tag("slow")
@Timeout(300)
class LargeDownloadIT {
    private static final long MIB = 1 << 20;
    private static final long COUNT = 512 * MIB / Integer.BYTES;
    private static final long HEAP_BYTES = 256 * MIB;
    private static final long DIRECT_BYTES = 100 * MIB;
    private static final int CLIENTS = 4;

    /** One for what is sent, one for what is received. */
    private static final long WINDOW_BYTES = 2 * 4 * MIB;

    /** As in {@link BackPressureIT}. */
    private static final long FIXED_BYTES = 192 * MIB;

    private static final int MAX_SLOWDOWN = 10;
    private static final Map<String, String> SMALL = Map.of(
            "PAREX_JAVA_OPTS",
            "-Xmx" + HEAP_BYTES / MIB + "m -XX:MaxDirectMemorySize=" + DIRECT_BYTES / MIB + "m",
            "PAREX_TIMEOUT_STALLED_READER",
            "5s");

    private final List<ManagedChannel> channels = new ArrayList<>();
    private ServedWorld served;

    @BeforeEach
    void start() throws Exception {
        served = ServedWorld.start(2, SMALL);
    }

    @AfterEach
    void stop() {
        channels.forEach(ManagedChannel::shutdownNow);
        served.close();
    }

    /** Case C107. */
    @Test
    void shouldFreeEverythingWhenAClientCancels() throws Exception {
        SteadyWriter writer = SteadyWriter.start(stub(), COUNT, 0, 1);
        StoppingReader reader = StoppingReader.start(stub(), COUNT, 1, 0);
        reader.readTo(10 * MIB);
        reader.kill();
        assertFreed(writer, "client of rank 1 cancelled the RPC");
    }

    /** Case C107. */
    @Test
    void shouldFreeEverythingWhenAClientIsKilled() throws Exception {
        SteadyWriter writer = SteadyWriter.start(stub(), COUNT, 0, 1);
        Process reader = DoomedReader.start(served.endpoint(), COUNT, 10 * MIB);
        try {
            assertEquals("read", reader.inputReader().readLine());
        } finally {
            reader.destroyForcibly();
        }
        assertFreed(writer, "client of rank 1");
    }

    private void assertFreed(SteadyWriter writer, String reason) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .until(() -> served.shown("calls") == 0 && served.shown("stagingBytes") == 0);
        CompletionException failure = assertThrows(CompletionException.class, writer::awaitEnd);
        String text = Details.callError(failure.getCause()).getMessage();
        assertTrue(text.contains(reason), text);
        try (ParexClient zero = served.client(0);
                ParexClient one = served.client(1)) {
            CallLatency.medianMicros(zero, one);
        }
    }

    /** Case C109: a MiB a second for eight seconds, then nothing until they are cut. */
    @Test
    void shouldServeSlowReadersFromLittleMemoryAndCutThemWhenTheyStop() throws Exception {
        List<SteadyWriter> writers = new ArrayList<>();
        List<StoppingReader> readers = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            readers.add(StoppingReader.start(stub(), COUNT, 1, 0));
            writers.add(SteadyWriter.start(stub(), COUNT, 0, 1));
        }
        try (ParexClient zero = served.client(0);
                ParexClient one = served.client(1);
                ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
            List<ScheduledFuture<?>> reads = IntStream.rangeClosed(1, 8)
                    .<ScheduledFuture<?>>mapToObj(second -> clock.schedule(
                            () -> readers.forEach(reader -> reader.readTo(second * MIB)), second, TimeUnit.SECONDS))
                    .toList();
            CallLatency.medianMicros(zero, one);
            long micros = CallLatency.medianMicros(zero, one);
            long staged = served.shown("stagingBytes");
            assertTrue(staged <= CLIENTS * (WINDOW_BYTES + MIB), () -> staged + " bytes staged");
            for (ScheduledFuture<?> read : reads) {
                read.get(60, TimeUnit.SECONDS);
            }
            assertEquals(2 * CLIENTS, served.shown("calls"));
            for (SteadyWriter writer : writers) {
                CompletionException cut = assertThrows(CompletionException.class, writer::awaitEnd);
                String text = Details.callError(cut.getCause()).getMessage();
                assertTrue(text.contains("client of rank 1"), text);
            }
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> served.shown("calls") == 0);
            assertModest(micros, CallLatency.medianMicros(zero, one));
        }
    }

    private void assertModest(long besideMicros, long aloneMicros) throws Exception {
        long peak = served.peakResidentBytes();
        System.out.printf(
                "median call beside %d slow readers %d us, alone %d us; peak resident %d MiB%n",
                CLIENTS, besideMicros, aloneMicros, peak / MIB);
        assertTrue(
                besideMicros <= MAX_SLOWDOWN * aloneMicros,
                () -> besideMicros + " us a call beside slow readers, " + aloneMicros + " us alone");
        long limit = HEAP_BYTES + DIRECT_BYTES + CLIENTS * WINDOW_BYTES + FIXED_BYTES;
        assertTrue(peak <= limit, () -> peak / MIB + " MiB were resident, " + limit / MIB + " are allowed");
        assertTrue(!served.output().contains("OutOfMemoryError"), served::output);
    }

    private ParexGrpc.ParexStub stub() {
        channels.add(served.channel());
        return ParexGrpc.newStub(channels.getLast());
    }
}
