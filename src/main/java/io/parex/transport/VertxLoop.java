package io.parex.transport;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** An event loop of the fabric's own Vert.x instance as a rank's owner loop. */
public final class VertxLoop implements OwnerLoop {
    private final EventLoop loop;

    /** The owner loop that runs on {@code loop}. */
    public VertxLoop(EventLoop loop) {
        this.loop = loop;
    }

    /** What it runs on, for those who have sockets of the rank on its loop. */
    public EventLoop eventLoop() {
        return loop;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        Future<?> scheduled = loop.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public boolean inLoop() {
        return loop.inEventLoop();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }
}
