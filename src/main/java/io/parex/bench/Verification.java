package io.parex.bench;

import java.time.Duration;

/** One exchange on all ranks, and a look at what it leaves. */
final class Verification {
    /** How long the last rank lets the others wait: plenty for one that would not. */
    private static final Duration LATE = Duration.ofMillis(1);

    private Verification() {}

    /**
     * Prepares, calls once on all ranks, and looks at the results.
     *
     * @param limit for each call
     * @return how many elements were wrong, or how many ranks did not wait for the last one
     */
    static long of(Point point, Duration limit) {
        point.prepare();
        if (point.traits().synchronising()) {
            return early(point, limit);
        }
        for (int call = 0; call < point.traits().callsPerExchange(); call++) {
            for (int rank = 0; rank < point.traits().callers(); rank++) {
                point.start(rank, call);
            }
            point.await(limit);
        }
        return point.wrong();
    }

    private static long early(Point point, Duration limit) {
        int last = point.traits().callers() - 1;
        for (int rank = 0; rank < last; rank++) {
            point.start(rank, 0);
        }
        long wrong = 0;
        for (int rank = 0; rank < last; rank++) {
            wrong += point.endsWithin(rank, LATE) ? 1 : 0;
        }
        point.start(last, 0);
        point.await(limit);
        return wrong;
    }
}
