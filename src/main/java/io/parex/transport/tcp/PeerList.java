package io.parex.transport.tcp;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import java.net.InetSocketAddress;
import java.util.List;

/** Addresses that somebody hands out once all processes listen. Any thread. */
public final class PeerList implements PeerAddresses {
    private volatile List<InetSocketAddress> addresses = List.of();

    /** Knows the addresses of all ranks, in order, from now on. */
    public void set(List<InetSocketAddress> all) {
        addresses = List.copyOf(all);
    }

    @Override
    public Uni<List<InetSocketAddress>> of(int rank) {
        List<InetSocketAddress> now = addresses;
        return rank < now.size()
                ? Uni.createFrom().item(List.of(now.get(rank)))
                : Uni.createFrom().failure(new ParexException(ErrorKind.UNAVAILABLE, "not known yet"));
    }

    @Override
    public String describe(int rank) {
        return "rank " + rank;
    }
}
