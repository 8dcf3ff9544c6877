package io.parex.bench;

import io.parex.ParexException;

/** Makes the {@link Workload} of a point. */
@FunctionalInterface
interface Workloads {

    /** That of {@code primitive} on tensors of {@code count} elements. */
    Workload create(Series series, long count, CallShape shape, Setup setup);

    /** The real ones. */
    static Workload standard(Series series, long count, CallShape shape, Setup setup) {
        return switch (series.primitive()) {
            case SEND, RECV -> new PingPongWorkload(setup, count);
            case SEND_RECV -> new RingShiftWorkload(setup, count);
            case BARRIER ->
                new BarrierWorkload(setup.ranks(), rank -> setup.group(rank).barrier(setup.options()));
            case ISEND, IRECV ->
                throw ParexException.argument(
                        series.primitive().label() + " is not measured by itself: send and send_recv use it");
            default -> new CollectiveWorkload(setup, series.primitive(), count, shape);
        };
    }
}
