package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** When the calls before the measured ones end. */
class WarmUpTest {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final int JVMS_PER_PROCESSOR = 2;
    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;

    private final List<Integer> windows = new ArrayList<>();
    private long nowNanos = 5;
    private long made;

    private final WarmUp warmUp = new WarmUp(LEAST, JVMS_PER_PROCESSOR, () -> nowNanos);

    /** A point whose call number {@code i} of all takes {@code nanosOfCall(i)} on the slower of two ranks. */
    private Pace point(LongUnaryOperator nanosOfCall) {
        InvocationHandler handler = (_, method, arguments) -> switch (method.getName()) {
            case "run" -> run((int) arguments[0], nanosOfCall);
            case "traits" -> Traits.ofAll(2, true, false);
            default -> throw new AssertionError(method);
        };
        Class<?>[] type = {Point.class};
        return new Pace((Point) Proxy.newProxyInstance(Point.class.getClassLoader(), type, handler), LEAST);
    }

    private List<long[]> run(int calls, LongUnaryOperator nanosOfCall) {
        windows.add(calls);
        long[] stamps = new long[calls + 1];
        for (int call = 0; call < calls; call++) {
            stamps[call + 1] = stamps[call] + nanosOfCall.applyAsLong(made++);
        }
        nowNanos += stamps[calls];
        return List.of(new long[calls + 1], stamps);
    }

    private Duration warm(LongUnaryOperator nanosOfCall, long bytes) {
        long startNanos = nowNanos;
        warmUp.run(point(nanosOfCall), bytes);
        return Duration.ofNanos(nowNanos - startNanos);
    }

    @Test
    void shouldTakeTheLeastTimeOfCodeThatIsWarm() {
        Duration took = warm(call -> 20 * MICROS, 0);
        assertTrue(took.compareTo(LEAST) >= 0, took.toString());
        assertTrue(took.compareTo(LEAST.multipliedBy(2)) < 0, took.toString());
    }

    @Test
    void shouldMakeEnoughCallsHoweverEvenTheyAre() {
        Duration took = warm(call -> MILLIS, 1 << 10);
        assertTrue(made >= WarmUp.LEAST_FRAMES, made + " calls");
        assertTrue(took.compareTo(Duration.ofSeconds(11)) < 0, took.toString());
    }

    @Test
    void shouldCountTheFramesOfLargeTensors() {
        Duration took = warm(call -> 45 * MILLIS, 64 << 20);
        assertTrue(made >= WarmUp.LEAST_FRAMES / 1024, made + " calls");
        assertTrue(took.compareTo(LEAST.multipliedBy(2)) < 0, took.toString());
    }

    @Test
    void shouldCountTheCallsOfASeriesOnce() {
        warm(call -> MILLIS, 1 << 10);
        Duration took = warm(call -> MILLIS, 4 << 10);
        assertTrue(took.compareTo(LEAST.multipliedBy(2)) < 0, took.toString());
    }

    @Test
    void shouldGoOnWhileCallsGetFasterAndTheLeastTimeAfter() {
        // Each of 16 tiers is 10 % faster than the one before, and takes less than the least time.
        long tier = 1_000;
        warm(call -> (long) (800 * MICROS * Math.pow(0.9, Math.min(16, call / tier))), 0);
        long after = LEAST.toNanos() / (long) (800 * MICROS * Math.pow(0.9, 16));
        assertTrue(made >= 16 * tier + after, made + " calls");
    }

    @Test
    void shouldAddUpWhatIsALittleFaster() {
        // 3 % a window of 200 ms, from 500 us to 170.
        warm(call -> Math.max(170 * MICROS, (long) (500 * MICROS * Math.exp(-call / 20_000.0))), 0);
        assertTrue(made > 20_000, made + " calls");
    }

    @Test
    void shouldNotMindAFewSlowCalls() {
        Duration took = warm(call -> call % 500 == 499 && call < 30_000 ? 10 * MILLIS : 50 * MICROS, 0);
        assertTrue(took.compareTo(LEAST.multipliedBy(3)) < 0, took.toString());
    }

    @Test
    void shouldEndAtTheDeadlineWithoutBeingWarm() {
        Duration took = warm(call -> Math.max(MILLIS, 8_000 * MILLIS / (1 + call)), 0);
        Duration most = LEAST.multipliedBy(WarmUp.MOST_TIMES * JVMS_PER_PROCESSOR);
        assertTrue(took.compareTo(most) >= 0, took.toString());
        assertTrue(took.compareTo(most.plus(LEAST)) < 0, took.toString());
    }

    @Test
    void shouldMakeOneExchangeIfThereIsNoTimeForIt() {
        new WarmUp(Duration.ZERO, 1, () -> nowNanos).run(point(call -> MILLIS), 0);
        assertEquals(List.of(1), windows);
    }
}
