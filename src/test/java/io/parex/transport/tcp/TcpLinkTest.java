package io.parex.transport.tcp;

import io.parex.transport.ConnectionLinkContract;
import io.parex.transport.Network;
import java.util.stream.IntStream;

/** The contract of {@link io.parex.transport.Link} over real sockets. */
class TcpLinkTest extends ConnectionLinkContract {
    private static final long POOL_BYTES = 1 << 20;

    private LoopbackFabrics fabrics;

    @Override
    protected Network[] join(int size) {
        fabrics = new LoopbackFabrics(size, POOL_BYTES);
        return IntStream.range(0, size)
                .mapToObj(rank -> fabrics.fabric(rank).network(rank))
                .toArray(Network[]::new);
    }

    @Override
    protected void settle() {
        fabrics.settle();
    }

    @Override
    protected void leave() {
        fabrics.close();
    }
}
