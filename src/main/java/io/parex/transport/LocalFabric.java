package io.parex.transport;

import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.tensor.BufferPool;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/**
 * Ranks of one process on event loops of a Vert.x instance that is the fabric's own, joined by local links. Two ranks
 * share a loop where there are more ranks than processors.
 */
public final class LocalFabric implements Fabric {
    private static final long CLOSE_SECONDS = 10;

    private final Vertx vertx;
    private final BufferPool pool;
    private final Port[] ports;

    /**
     * A fabric for {@code size} ranks.
     *
     * @param poolBytes limit of the memory for copies and scratch of all of them
     */
    public LocalFabric(int size, long poolBytes) {
        pool = Fabric.newPool(poolBytes);
        int loops = Math.min(size, Runtime.getRuntime().availableProcessors());
        vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setPreferNativeTransport(true));
        ports = IntStream.range(0, size)
                .mapToObj(rank -> new Port(rank, size, newLoop()))
                .toArray(Port[]::new);
    }

    @Override
    public Network network(int rank) {
        return ports[rank];
    }

    private OwnerLoop newLoop() {
        ContextInternal context = ((VertxInternal) vertx).createEventLoopContext();
        return new VertxLoop(context.nettyEventLoop());
    }

    /** Ends the loops and frees the pool; ranks are closed before. Blocks for at most 10 s. */
    @Override
    public void close() {
        try {
            vertx.close().toCompletionStage().toCompletableFuture().get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            System.getLogger(LocalFabric.class.getName())
                    .log(System.Logger.Level.WARNING, "the fabric's event loops did not end", e);
        } finally {
            pool.close();
        }
    }

    private final class Port implements Network {
        private final int rank;
        private final OwnerLoop loop;
        private final Membership membership;
        private volatile Link.Receiver receiver;

        Port(int rank, int size, OwnerLoop loop) {
            this.rank = rank;
            this.loop = loop;
            this.membership = new Membership(size);
            IntStream.range(0, size).forEach(peer -> membership.learn(new Life(peer, 1, 0)));
        }

        @Override
        public OwnerLoop loop() {
            return loop;
        }

        @Override
        public BufferPool pool() {
            return pool;
        }

        @Override
        public BufferPool arrivals() {
            return pool;
        }

        @Override
        public Membership membership() {
            return membership;
        }

        @Override
        public String trouble(int peer) {
            return "";
        }

        @Override
        public void receive(Link.Receiver end) {
            receiver = end;
        }

        @Override
        public Link link(int peer) {
            Port target = ports[peer];
            return new LocalLink(rank, target.loop, target.receiver);
        }
    }
}
