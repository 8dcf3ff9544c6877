package io.parex.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ParexException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port of a fabric, from its first moment to its last. */
@Timeout(60)
class TcpFabricTest {
    private static final int TURNS = 3;
    private static final int CALLERS = 4;
    private static final int STRANGERS = 1000;

    /** Kept, so that it is not collected with its handlers. */
    private static final Logger NETTY = Logger.getLogger("io.netty");

    @Test
    void shouldCloseInSilenceWhileOthersConnect() throws Exception {
        Log log = new Log();
        NETTY.addHandler(log);
        try {
            for (int turn = 0; turn < TURNS; turn++) {
                TcpFabric fabric = listen("127.0.0.1", 0);
                List<Thread> callers = callUntilRefused(fabric.port());
                fabric.close();
                for (Thread caller : callers) {
                    caller.join();
                }
            }
        } finally {
            NETTY.removeHandler(log);
        }
        assertEquals(List.of(), log.said);
    }

    /** C94: a scan of ports, some of which reset what they open. */
    @Test
    void shouldCountStrangersWhoHangUpAndSayItInOneLine() throws Exception {
        Log log = new Log();
        Logger strangers = Logger.getLogger(Strangers.class.getName());
        strangers.addHandler(log);
        NETTY.addHandler(log);
        long begun = System.nanoTime();
        try (TcpFabric fabric = listen("127.0.0.1", 0)) {
            for (int stranger = 0; stranger < STRANGERS; stranger++) {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), fabric.port())) {
                    socket.setSoLinger(stranger % 2 == 0, 0);
                }
            }
            Awaitility.await()
                    .until(() -> fabric.refusedConnections().getOrDefault("not_our_protocol", 0L) == STRANGERS);
        } finally {
            strangers.removeHandler(log);
            NETTY.removeHandler(log);
        }
        long intervals = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) / 10;
        // Those who hang up and those who reset are two causes.
        assertTrue(log.said.size() <= 2 * (1 + intervals), log.said::toString);
    }

    @Test
    void shouldSayWhyItCannotListen() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            int port = taken.getLocalPort();
            ParexException failure = assertThrows(ParexException.class, () -> listen("::", port));
            assertEquals(
                    "cannot listen for other ranks on [::]:" + port + ": Address already in use", failure.getMessage());
        }
        ParexException failure = assertThrows(ParexException.class, () -> listen("198.51.100.1", 0));
        assertTrue(
                failure.getMessage().startsWith("cannot listen for other ranks on 198.51.100.1:0: Cannot assign"),
                failure::getMessage);
    }

    /** Strangers, each of whom connects again and again until nobody listens; all have been there once. */
    private static List<Thread> callUntilRefused(int port) throws InterruptedException {
        List<Thread> callers = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(CALLERS);
        for (int caller = 0; caller < CALLERS; caller++) {
            callers.add(Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        new Socket(InetAddress.getLoopbackAddress(), port).close();
                        begun.countDown();
                    }
                } catch (IOException e) {
                    // Nobody listens any more.
                }
            }));
        }
        begun.await();
        return callers;
    }

    private static TcpFabric listen(String host, int port) {
        TcpOptions options =
                new TcpOptions("test", 2, host, port, Duration.ofMinutes(1), Duration.ofSeconds(5), 0, 1 << 20);
        return TcpFabric.listen(options, List.of(0), new PeerList());
    }

    private static final class Log extends Handler {
        private final List<String> said = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord entry) {
            said.add(entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
