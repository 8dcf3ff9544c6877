package io.parex.demo;

import java.util.List;

/** Passes every call on and adds up how long it took. Used by one worker thread. */
final class TimedExchange {
    private final Exchange exchange;
    private PrimitiveTime broadcast = PrimitiveTime.none("broadcast");
    private PrimitiveTime allReduce = PrimitiveTime.none("all_reduce");
    private PrimitiveTime barrier = PrimitiveTime.none("barrier");

    TimedExchange(Exchange exchange) {
        this.exchange = exchange;
    }

    void broadcast(float[] parameters, int root) {
        long nanos = time(() -> exchange.broadcast(parameters, root));
        broadcast = broadcast.plusCall(bytes(parameters), nanos);
    }

    void allReduceAverage(float[] gradients) {
        long nanos = time(() -> exchange.allReduceAverage(gradients));
        allReduce = allReduce.plusCall(bytes(gradients), nanos);
    }

    void barrier() {
        barrier = barrier.plusCall(0, time(exchange::barrier));
    }

    /** All all_reduce calls so far. */
    PrimitiveTime allReduce() {
        return allReduce;
    }

    /** What was called so far, one entry per primitive, always in the same order. */
    List<PrimitiveTime> times() {
        return List.of(broadcast, allReduce, barrier);
    }

    private static long time(Runnable call) {
        long startNanos = System.nanoTime();
        call.run();
        return System.nanoTime() - startNanos;
    }

    private static long bytes(float[] values) {
        return (long) values.length * Float.BYTES;
    }
}
