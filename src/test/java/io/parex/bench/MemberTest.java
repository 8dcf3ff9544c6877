package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Launcher and members in one JVM, on pipes; {@code BenchIT} has real processes. */
@Timeout(120)
class MemberTest {
    private static final Timing SHORT = new Timing(Duration.ZERO, Duration.ofMillis(1), 4, 2, Duration.ofSeconds(20));
    private static final Sizes TWO_SIZES = new Sizes(1 << 10, 1 << 18, 1 << 8);

    private final Recording recording = new Recording();
    private final PipedMembers members = new PipedMembers();

    @AfterEach
    void end() {
        members.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Primitive.class,
            names = {"SEND", "SEND_RECV", "BARRIER", "BROADCAST", "ALL_REDUCE"})
    void shouldMeasureEveryPrimitive(Primitive primitive) {
        for (CallerKind caller : CallerKind.values()) {
            BenchPlan plan = plan(new Series(primitive, null, caller), false);
            assertEquals(0, bench(plan).run());
        }
        assertTrue(members.awaitEnd(), "a member was not told to leave");
        for (PointResult point : recording.points) {
            assertEquals(0, point.figures().wrong());
            assertEquals(4, point.figures().calls());
            assertTrue(point.figures().minNanos() > 0, point.toString());
            assertFalse(point.algorithm().isEmpty());
        }
    }

    @Test
    void shouldTellWhatAMemberFailedWith() {
        BenchPlan plan = plan(new Series(Primitive.ALL_REDUCE, "chain", CallerKind.THREAD), true);
        ParexException failure =
                assertThrows(ParexException.class, () -> bench(plan).run());
        assertEquals(ErrorKind.ARGUMENT, failure.kind());
        assertTrue(failure.getMessage().contains("chain"), failure.getMessage());
    }

    @Test
    void shouldSayWhichMemberEndedAndHow() {
        List<MemberChannel> channels = members.start(3);
        Recording dying = new Recording() {
            @Override
            public void progress(String activity) {
                if (activity.contains("warming up")) {
                    members.kill(1);
                }
            }
        };
        BenchPlan plan = plan(new Series(Primitive.ALL_REDUCE, null, CallerKind.THREAD), false);
        Bench bench = Bench.ofMembers(plan, dying, channels, 0);
        ParexException failure = assertThrows(ParexException.class, bench::run);
        assertEquals(ErrorKind.PEER_FAILED, failure.kind());
        assertEquals("the process of rank 1 " + PipedMembers.KILLED, failure.getMessage());
        assertEquals(List.of(), dying.points);
    }

    @Test
    void shouldNotStartWithoutAMember() {
        List<MemberChannel> channels = members.start(3);
        members.kill(2);
        Bench bench = Bench.ofMembers(
                plan(new Series(Primitive.BARRIER, null, CallerKind.LOOP), false), recording, channels, 0);
        ParexException failure = assertThrows(ParexException.class, bench::run);
        assertEquals(ErrorKind.UNAVAILABLE, failure.kind());
        assertEquals("the process of rank 2 " + PipedMembers.KILLED, failure.getMessage());
    }

    @Test
    void shouldEndWithItsOrders() {
        members.start(2);
        members.endOrders();
        assertTrue(members.awaitEnd());
        assertEquals(2, members.abandoned());
    }

    private Bench bench(BenchPlan plan) {
        return Bench.ofMembers(plan, recording, members.start(plan.ranks()), 0);
    }

    private static BenchPlan plan(Series series, boolean inPlace) {
        CallShape shape = new CallShape(DataType.FLOAT32, ReduceOp.SUM, 1, inPlace);
        return new BenchPlan(3, List.of(series), TWO_SIZES, shape, SHORT);
    }
}
