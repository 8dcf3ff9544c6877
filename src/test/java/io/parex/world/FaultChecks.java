package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.schedule.Primitive;
import io.parex.simulator.Simulation;
import io.parex.tensor.TensorView;
import io.parex.world.FuzzProgram.Asked;
import java.util.stream.IntStream;

/** What must hold whatever fails under ranks that make correct calls. Looks at outcomes, memory and times only. */
final class FaultChecks {
    private static final long SECOND = 1_000_000_000L;

    /** The detection bound of the simulated links, and what the notice may take. */
    private static final long LOST_NANOS = 7 * SECOND;

    private final FaultRun run;
    private final boolean anyDeath;

    FaultChecks(FaultRun run) {
        this.run = run;
        anyDeath = IntStream.range(0, run.size()).anyMatch(rank -> run.diedNanos(rank) != Long.MAX_VALUE);
    }

    void check() {
        for (int rank = 0; rank < run.size(); rank++) {
            for (int index = 0; index < run.calls(rank).size(); index++) {
                FuzzOutcome outcome = run.calls(rank).get(index);
                String where =
                        "call " + index + " " + run.steps().get(index) + " on rank " + rank + ", " + outcome + ": ";
                if (outcome.isOver()) {
                    checkCall(rank, index, outcome, where);
                } else {
                    assertTrue(isDead(rank), where + "no outcome");
                }
            }
        }
        run.messages().forEach(this::checkMessage);
        checkMemory();
    }

    private boolean isDead(int rank) {
        return run.diedNanos(rank) != Long.MAX_VALUE;
    }

    private long death() {
        return IntStream.range(0, run.size()).mapToLong(run::diedNanos).min().orElseThrow();
    }

    private void checkCall(int rank, int index, FuzzOutcome outcome, String where) {
        checkEnd(outcome, where, true);
        Asked asked = run.steps().get(index);
        if (!outcome.isSuccess()) {
            return;
        }
        if (asked.primitive() != Primitive.BARRIER) {
            Tensors.assertSame(
                    asked.primitive() == Primitive.BROADCAST
                            ? FuzzRun.given(asked, index)
                            : FuzzRun.reduced(asked, run.size(), index),
                    outcome.outputAfter,
                    where);
        }
        if (asked.primitive().synchronising()) {
            for (int peer = 0; peer < run.size(); peer++) {
                assertTrue(
                        run.calls(peer).size() > index
                                && run.calls(peer).get(index).submittedNanos <= outcome.endedNanos,
                        where + "ended before rank " + peer + " came");
            }
        }
        if (asked.primitive() == Primitive.ALL_REDUCE && outcome.input() != outcome.output()) {
            TensorView given = FuzzRun.addend(asked, run.size(), rank, index);
            Tensors.assertSame(given, outcome.inputAfter, where + "input");
        }
    }

    /** In time, for a reason that there is, and memory left alone afterwards. */
    private void checkEnd(FuzzOutcome outcome, String where, boolean needsTheDead) {
        assertTrue(outcome.isLeftAlone(), where + "somebody wrote to its memory after its end");
        assertTrue(
                outcome.endedNanos <= outcome.submittedNanos + FaultRun.TIMEOUT_NANOS + SECOND, where + "ended late");
        if (outcome.isSuccess()) {
            return;
        }
        assertTrue(isExplained(outcome.failure), where + outcome.failure);
        assertTrue(
                outcome.endedNanos >= run.firstFatalNanos(), where + "failed although nobody was lost, nor could be");
        assertTrue(
                needsTheDead || run.isPartitioned() || outcome.failure == ErrorKind.ABORTED,
                where + "failed although both ranks live");
        if (anyDeath && !run.isPartitioned()) {
            assertTrue(
                    outcome.endedNanos <= Math.max(outcome.submittedNanos, death()) + LOST_NANOS,
                    where + "heard too late of the death at " + death());
        }
    }

    /** A rank is lost; or it was started again, which ends the epoch; or this one is lost, to those who live. */
    private boolean isExplained(ErrorKind failure) {
        return switch (failure) {
            case PEER_FAILED -> true;
            case ABORTED -> run.wasRestarted() || run.isPartitioned();
            case UNAVAILABLE -> run.isPartitioned();
            default -> false;
        };
    }

    private void checkMessage(FaultRun.Message message) {
        boolean needsTheDead = isDead(message.from()) || isDead(message.to());
        String where = message.toString();
        if (message.sent().isOver()) {
            checkEnd(message.sent(), where + " sent: ", needsTheDead);
        } else {
            assertTrue(isDead(message.from()), where + "no outcome of the send");
        }
        if (message.received().isOver()) {
            checkEnd(message.received(), where + " received: ", needsTheDead);
        } else {
            assertTrue(isDead(message.to()), where + "no outcome of the receive");
        }
        if (message.received().isSuccess()) {
            Tensors.assertSame(FuzzRun.message(message.id(), message.count()), message.received().outputAfter, where);
            assertTrue(message.sent().submittedNanos >= 0, where + "received and never sent");
        }
    }

    private void checkMemory() {
        Simulation simulation = run.world().simulation();
        for (int rank = 0; rank < run.size(); rank++) {
            if (!isDead(rank)) {
                assertEquals(0, run.world().worlds().get(rank).inFlight(), "operations in flight on rank " + rank);
                assertEquals(0, simulation.network(rank).pool().usedBytes(), "scratch and copies of rank " + rank);
                assertEquals(0, simulation.network(rank).arrivals().usedBytes(), "arrivals kept by rank " + rank);
            }
        }
        // Idle connections still ask each other for signs of life now and then.
        simulation.runUntil(() -> simulation.networkBytes() == 0, SECOND);
    }
}
