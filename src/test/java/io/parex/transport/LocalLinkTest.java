package io.parex.transport;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** The contract of {@link Link} for ranks of one process. */
class LocalLinkTest extends ReferenceLinkContract {
    private static final long POOL_BYTES = 1 << 20;

    private LocalFabric fabric;
    private Network[] networks;

    @Override
    protected Network[] join(int size) {
        fabric = new LocalFabric(size, POOL_BYTES);
        networks = IntStream.range(0, size).mapToObj(fabric::network).toArray(Network[]::new);
        return networks;
    }

    @Override
    protected void settle() {
        // The first pass lets senders send, the second lets receivers receive: a loop runs its tasks in order.
        for (int pass = 0; pass < 2; pass++) {
            CountDownLatch passed = new CountDownLatch(networks.length);
            for (Network network : networks) {
                network.loop().execute(passed::countDown);
            }
            try {
                assertTrue(passed.await(10, TimeUnit.SECONDS), "a loop hangs");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Override
    protected void leave() {
        fabric.close();
    }
}
