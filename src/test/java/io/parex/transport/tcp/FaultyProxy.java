package io.parex.transport.tcp;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between two ranks: brings their bytes over at a limited rate, and resets the connection whenever so many bytes
 * have passed as the seed says, wherever that is in a frame.
 */
final class FaultyProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final ServerSocket server;
    private final InetSocketAddress target;
    private final Pace pace;
    private final Random random;
    private final long meanBytes;
    private final AtomicInteger resetsLeft;
    private final AtomicInteger resets = new AtomicInteger();
    private final AtomicLong untilReset = new AtomicLong();
    private volatile boolean closed;

    /**
     * A proxy to {@code target}.
     *
     * @param bitsPerSecond for both directions each
     * @param resetsLeft how many there are to be, of all proxies that share it
     * @param meanBytes between two of them
     */
    FaultyProxy(InetSocketAddress target, long bitsPerSecond, AtomicInteger resetsLeft, long meanBytes, long seed) {
        this.target = target;
        this.pace = new Pace(bitsPerSecond / 8);
        this.meanBytes = meanBytes;
        this.random = new Random(seed);
        this.resetsLeft = resetsLeft;
        untilReset.set(nextDistance());
        try {
            server = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    /** Where to connect instead. */
    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort());
    }

    /** How many connections have been reset. */
    int resets() {
        return resets.get();
    }

    private synchronized long nextDistance() {
        return 1 + random.nextLong(2 * meanBytes);
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = server.accept();
                Socket peer = new Socket(target.getAddress(), target.getPort());
                client.setTcpNoDelay(true);
                peer.setTcpNoDelay(true);
                Thread.ofPlatform().daemon().start(() -> copy(client, peer));
                Thread.ofPlatform().daemon().start(() -> copy(peer, client));
            } catch (IOException e) {
                // The target is gone, or the proxy is closed.
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        Pace own = pace.fresh();
        try (from;
                to) {
            InputStream input = from.getInputStream();
            OutputStream output = to.getOutputStream();
            for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
                long before = untilReset.getAndAdd(-count);
                if (before > 0 && before <= count && resetsLeft.getAndDecrement() > 0) {
                    untilReset.set(nextDistance());
                    resets.incrementAndGet();
                    output.write(buffer, 0, (int) before - 1);
                    from.setSoLinger(true, 0);
                    to.setSoLinger(true, 0);
                    return;
                }
                own.take(count);
                output.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // The other direction has ended the connection.
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
