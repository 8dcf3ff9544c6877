package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole runs, small ones. */
class BenchTest {
    private static final Timing SHORT = new Timing(Duration.ZERO, Duration.ofMillis(1), 4, 2, Duration.ofSeconds(20));

    /** 1 KiB is copied and small; 256 KiB is lent, and goes through the algorithms for large tensors. */
    private static final Sizes TWO_SIZES = new Sizes(1 << 10, 1 << 18, 1 << 8);

    private final Recording recording = new Recording();

    static Stream<Arguments> everything() {
        List<Arguments> all = new ArrayList<>();
        for (int ranks : new int[] {2, 3}) {
            for (CallerKind caller : CallerKind.values()) {
                Stream.of("SEND", "RECV", "SEND_RECV", "BARRIER", "BROADCAST", "ALL_REDUCE")
                        .map(Primitive::valueOf)
                        .forEach(primitive -> all.add(Arguments.of(ranks, new Series(primitive, null, caller))));
            }
        }
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("everything")
    void shouldMeasureEveryPrimitive(int ranks, Series series) {
        assertEquals(0, Bench.inJvm(plan(ranks, series), recording, 0).run());
        assertEquals(List.of(series), recording.ended);
        assertEquals(series.hasSizes() ? List.of(1024L, 262_144L) : List.of(0L), bytes());
        for (PointResult point : recording.points) {
            Figures figures = point.figures();
            assertEquals(4, figures.calls());
            assertTrue(0 < figures.minNanos() && figures.minNanos() <= figures.medianNanos(), figures.toString());
            assertTrue(figures.medianNanos() <= figures.p99Nanos(), figures.toString());
            assertTrue(figures.meanNanos() >= figures.minNanos(), figures.toString());
            assertEquals(series.hasSizes(), point.busbwGbs() > 0);
            assertTrue(!point.algorithm().isEmpty());
        }
    }

    @ParameterizedTest
    @EnumSource(CallerKind.class)
    void shouldMeasureInPlaceAndByTime(CallerKind caller) {
        Timing byTime = new Timing(Duration.ofMillis(20), Duration.ofMillis(5), 0, 3, Duration.ofSeconds(20));
        Series series = new Series(Primitive.ALL_REDUCE, "ring", caller);
        BenchPlan plan = new BenchPlan(
                3, List.of(series), TWO_SIZES, new CallShape(DataType.INT64, ReduceOp.PRODUCT, 0, true), byTime);
        assertEquals(0, Bench.inJvm(plan, recording, 0).run());
        for (PointResult point : recording.points) {
            assertEquals("ring", point.algorithm());
            assertTrue(point.inPlace());
            assertTrue(point.figures().calls() >= 3, point.toString());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ReduceOp.class,
            names = {"AVG", "MIN", "MAX", "PRODUCT"})
    void shouldVerifyEveryReduction(ReduceOp op) {
        Series series = new Series(Primitive.ALL_REDUCE, null, CallerKind.LOOP);
        BenchPlan plan =
                new BenchPlan(3, List.of(series), TWO_SIZES, new CallShape(DataType.FLOAT32, op, 0, false), SHORT);
        assertEquals(0, Bench.inJvm(plan, recording, 0).run());
    }

    @ParameterizedTest
    @CsvSource({"BOOL, SUM", "INT8, AVG", "UINT8, BXOR", "BFLOAT16, SUM", "FLOAT16, AVG", "COMPLEX64, AVG"})
    void shouldVerifyTypesOfEveryKind(DataType type, ReduceOp op) {
        Series series = new Series(Primitive.ALL_REDUCE, null, CallerKind.LOOP);
        BenchPlan plan = new BenchPlan(3, List.of(series), TWO_SIZES, new CallShape(type, op, 0, false), SHORT);
        assertEquals(0, Bench.inJvm(plan, recording, 0).run());
    }

    @Test
    void shouldCountWrongElements() {
        Series series = new Series(Primitive.ALL_REDUCE, null, CallerKind.THREAD);
        Workloads broken = (each, count, shape, setup) -> new BrokenInput(
                Workloads.standard(each, count, shape, setup), setup.memory().input(1, count));
        // Two elements are not what the expectation says, on both ranks, at both sizes.
        assertEquals(8, Bench.inJvm(plan(2, series), recording, 0, broken).run());
        assertEquals(
                List.of(4L, 4L),
                recording.points.stream().map(point -> point.figures().wrong()).toList());
    }

    @ParameterizedTest
    @EnumSource(CallerKind.class)
    void shouldFailWhereACallFails(CallerKind caller) {
        Series series = new Series(Primitive.SEND_RECV, null, caller);
        Workloads refusing =
                (each, count, shape, setup) -> new RefusingLater(Workloads.standard(each, count, shape, setup));
        ParexException failure = assertThrows(
                ParexException.class,
                () -> Bench.inJvm(plan(2, series), recording, 0, refusing).run());
        assertEquals(ErrorKind.OVERLOADED, failure.kind());
        assertEquals(List.of(), recording.points);
    }

    @Test
    void shouldRefuseWhatCannotRun() {
        assertThrows(ParexException.class, () -> plan(1, new Series(Primitive.SEND, null, CallerKind.LOOP)));
        Series reduction = new Series(Primitive.ALL_REDUCE, null, CallerKind.LOOP);
        ParexException refused = assertThrows(
                ParexException.class,
                () -> new BenchPlan(
                        2,
                        List.of(reduction),
                        TWO_SIZES,
                        new CallShape(DataType.FLOAT8_E5M2, ReduceOp.SUM, 0, false),
                        Timing.DEFAULT));
        assertEquals(ErrorKind.UNSUPPORTED, refused.kind());
    }

    private List<Long> bytes() {
        return recording.points.stream().map(PointResult::bytes).toList();
    }

    private static BenchPlan plan(int ranks, Series series) {
        return new BenchPlan(
                ranks,
                List.of(series),
                TWO_SIZES,
                new CallShape(DataType.FLOAT32, ReduceOp.SUM, ranks - 1, false),
                SHORT);
    }
}
