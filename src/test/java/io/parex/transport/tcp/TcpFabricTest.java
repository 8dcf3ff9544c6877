package io.parex.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import io.parex.ParexException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The port of a fabric, from its first moment to its last. */
@Timeout(60)
class TcpFabricTest {
    private static final int TURNS = 3;
    private static final int CALLERS = 4;

    @Test
    void shouldCloseInSilenceWhileOthersConnect() throws Exception {
        Log log = new Log();
        Logger netty = Logger.getLogger(ServerBootstrap.class.getName());
        netty.addHandler(log);
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
            netty.removeHandler(log);
        }
        assertEquals(List.of(), log.said);
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
                new TcpOptions("test", 2, host, port, Duration.ofMinutes(1), Duration.ofSeconds(5), 1 << 20);
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
