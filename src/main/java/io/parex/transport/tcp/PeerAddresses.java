package io.parex.transport.tcp;

import io.smallrye.mutiny.Uni;
import java.net.InetSocketAddress;
import java.util.List;

/** Where the other ranks are. */
public interface PeerAddresses {

    /**
     * Addresses at which rank {@code rank} may be reached now, the best first, never empty: fails instead, within a
     * deadline of its own. Asked before every attempt to connect. Any thread; completes on any thread.
     */
    Uni<List<InetSocketAddress>> of(int rank);

    /** The rank's place in words, such as its host name. */
    String describe(int rank);
}
