package io.parex.bench;

import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.tensor.Reductions;
import java.util.List;

/**
 * What to measure.
 *
 * @param ranks ranks of the world
 * @param series the tables, in order
 * @param sizes of the tensors
 * @param shape of the calls
 * @param timing how long to measure
 */
public record BenchPlan(int ranks, List<Series> series, Sizes sizes, CallShape shape, Timing timing) {

    public BenchPlan {
        series = List.copyOf(series);
        if (shape.root() < 0 || shape.root() >= ranks) {
            throw ParexException.argument("root " + shape.root() + " is not a rank of a world of " + ranks);
        }
        for (Series each : series) {
            if (needsPair(each.primitive()) && ranks < 2) {
                throw ParexException.argument(each.primitive().label() + " needs at least 2 ranks, not " + ranks);
            }
            if (each.primitive().reducing()) {
                Reductions.of(shape.type(), shape.op(), ranks, shape.factor()); // throws if it is not computed
            }
        }
        if (series.stream().anyMatch(Series::hasSizes)) {
            sizes.counts(shape.type()); // throws if the least size is too small
        }
    }

    /** The points of a table, in elements of the larger side's buffer: whole blocks, where they are to be equal. */
    public List<Long> counts(Series each) {
        if (!each.hasSizes()) {
            return List.of(0L);
        }
        return sizes.counts(shape.type()).stream()
                .map(count -> Layouts.whole(each.primitive(), ranks, count))
                .distinct()
                .toList();
    }

    /** Size of the largest tensor, 0 if there are none. */
    public long largestBytes() {
        return series.stream().mapToLong(each -> counts(each).getLast()).max().orElse(0)
                * shape.type().bytes();
    }

    /** Who has what in a call of a collective at a point. */
    public Exchange exchange(Series each, long count) {
        return Layouts.exchange(each.primitive(), ranks, count, shape);
    }

    /** Whether the primitive is measured between ranks 0 and 1. */
    public static boolean needsPair(Primitive primitive) {
        return primitive == Primitive.SEND || primitive == Primitive.RECV;
    }
}
