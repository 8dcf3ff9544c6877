package io.parex.service;

import io.parex.protocol.Membership;
import io.parex.tensor.BufferPool;
import io.parex.transport.Fabric;
import io.parex.transport.Link;
import io.parex.transport.LocalFabric;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Local links to ranks that can be told that the others have lost them, which never happens in one process. */
final class LosableFabric implements Fabric {
    private final LocalFabric fabric;
    private final Map<Integer, Link.Receiver> receivers = new ConcurrentHashMap<>();

    LosableFabric(int size) {
        fabric = new LocalFabric(size, 64 << 20);
    }

    @Override
    public Network network(int rank) {
        return new Watched(rank, fabric.network(rank));
    }

    /** Tells rank {@code rank}, soon. */
    void lose(int rank, String why) {
        fabric.network(rank).loop().execute(() -> receivers.get(rank).onLost(why));
    }

    @Override
    public void close() {
        fabric.close();
    }

    private final class Watched implements Network {
        private final int rank;
        private final Network network;

        Watched(int rank, Network network) {
            this.rank = rank;
            this.network = network;
        }

        @Override
        public OwnerLoop loop() {
            return network.loop();
        }

        @Override
        public BufferPool pool() {
            return network.pool();
        }

        @Override
        public BufferPool arrivals() {
            return network.arrivals();
        }

        @Override
        public Membership membership() {
            return network.membership();
        }

        @Override
        public String trouble(int peer) {
            return network.trouble(peer);
        }

        @Override
        public void receive(Link.Receiver receiver) {
            receivers.put(rank, receiver);
            network.receive(receiver);
        }

        @Override
        public Link link(int peer) {
            return network.link(peer);
        }
    }
}
