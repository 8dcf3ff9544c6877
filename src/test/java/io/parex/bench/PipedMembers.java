package io.parex.bench;

import io.parex.transport.tcp.PeerList;
import io.parex.transport.tcp.TcpFabric;
import io.parex.transport.tcp.TcpOptions;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Members on threads of this JVM, at the other end of pipes as processes would be. */
final class PipedMembers implements AutoCloseable {
    static final String KILLED = "was killed by the test";

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Thread> threads = new ArrayList<>();
    private final List<OutputStream> orders = new ArrayList<>();
    private final List<OutputStream> replies = new ArrayList<>();
    private final List<Meeting> meetings = new ArrayList<>();
    private final AtomicInteger abandoned = new AtomicInteger();

    /** Starts so many members; those started before have ended. */
    List<MemberChannel> start(int ranks) {
        orders.clear();
        replies.clear();
        List<MemberChannel> channels = new ArrayList<>();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                Pipe toMember = Pipe.open();
                Pipe fromMember = Pipe.open();
                orders.add(Channels.newOutputStream(toMember.sink()));
                replies.add(Channels.newOutputStream(fromMember.sink()));
                serve(Channels.newInputStream(toMember.source()), replies.get(rank));
                channels.add(new MemberChannel(
                        rank, orders.get(rank), Channels.newInputStream(fromMember.source()), () -> KILLED));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return channels;
    }

    private void serve(InputStream in, OutputStream out) {
        Meeting meeting = new Meeting();
        meetings.add(meeting);
        threads.add(Thread.ofPlatform().daemon().start(() -> {
            if (!new Member(in, out, meeting).serve()) {
                abandoned.incrementAndGet();
            }
        }));
    }

    /** The rank's process ends without a word. */
    void kill(int rank) {
        try {
            replies.get(rank).close();
            orders.get(rank).close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        meetings.get(rank).close();
    }

    /** The launcher ends without a word. */
    void endOrders() {
        for (OutputStream each : orders) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Members that were not told to leave. */
    int abandoned() {
        return abandoned.get();
    }

    /** Whether all members end in time. */
    boolean awaitEnd() {
        try {
            for (Thread thread : threads) {
                if (!thread.join(PATIENCE)) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        endOrders();
        meetings.forEach(Meeting::close);
    }

    /** On loopback. */
    private static final class Meeting implements Rendezvous {
        private final PeerList peers = new PeerList();
        private volatile TcpFabric fabric;
        private volatile LocalWorld world;
        private WorldOptions options;
        private int rank;
        private int ranks;

        @Override
        public int listen(int own, int size, WorldOptions settings) {
            rank = own;
            ranks = size;
            options = settings;
            TcpOptions tcp = new TcpOptions(
                    "bench", ranks, "127.0.0.1", 0, PATIENCE, Duration.ofSeconds(5), 0, settings.copyPoolBytes());
            fabric = TcpFabric.listen(tcp, List.of(rank), peers);
            return fabric.port();
        }

        @Override
        public LocalWorld join(List<Integer> ports) {
            peers.set(ports.stream()
                    .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                    .toList());
            world = LocalWorld.join(fabric, List.of(rank), ranks, options);
            world.rank(rank).joined().await().atMost(PATIENCE);
            return world;
        }

        @Override
        public void close() {
            if (world != null) {
                world.close();
            } else if (fabric != null) {
                fabric.close();
            }
        }
    }
}
