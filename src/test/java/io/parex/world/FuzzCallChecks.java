package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Step.Copy;
import io.parex.schedule.Step.Recv;
import io.parex.schedule.Step.RecvReduce;
import io.parex.schedule.Step.Reduce;
import io.parex.schedule.Step.Send;
import io.parex.tensor.TensorView;
import io.parex.world.FuzzProgram.Asked;
import io.parex.world.FuzzProgram.Step;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** What must hold of the collectives of a run, whatever went wrong in it. Looks at outcomes and memory only. */
final class FuzzCallChecks {
    private static final long SECOND = 1_000_000_000L;

    private final FuzzRun run;
    private final FuzzProgram program;

    FuzzCallChecks(FuzzRun run) {
        this.run = run;
        this.program = run.program();
    }

    void check() {
        for (int index = 0; index < program.steps().size(); index++) {
            for (int rank = 0; rank < program.size(); rank++) {
                if (index < program.stepsOf(rank)) {
                    Step step = program.steps().get(index);
                    FuzzOutcome outcome = outcome(rank, index);
                    String where = "call " + index + " on rank " + rank + ", " + outcome + ": ";
                    checkTime(step, index, outcome, where);
                    checkKind(step, index, outcome, where);
                    checkMemory(step, rank, index, outcome, where);
                    if (outcome.isSuccess()) {
                        checkAgreement(step, rank, index, outcome, where);
                    }
                }
            }
        }
        for (int rank = 0; rank < program.size(); rank++) {
            checkNotices(rank);
        }
        if (program.traffic().isEmpty()) {
            assertEquals(0, run.world().worlds().getFirst().scratchBytes(), "copies kept of calls that are over");
        }
    }

    private FuzzOutcome outcome(int rank, int index) {
        return run.calls(rank).get(index);
    }

    private boolean afterDeparture(int index) {
        return program.leaver() >= 0 && index >= program.leaverSteps();
    }

    private void checkTime(Step step, int index, FuzzOutcome outcome, String where) {
        assertTrue(outcome.isOver(), where + "no outcome");
        long end = outcome.submittedNanos + step.timeoutNanos();
        if (afterDeparture(index)) {
            end = Math.min(end, Math.max(outcome.submittedNanos, run.leftNanos()));
        }
        assertTrue(outcome.endedNanos <= end + SECOND, where + "ended late");
    }

    private void checkKind(Step step, int index, FuzzOutcome outcome, String where) {
        Set<ErrorKind> allowed = EnumSet.noneOf(ErrorKind.class);
        if (step.deviant() >= 0) {
            allowed.add(ErrorKind.MISMATCH);
        }
        if (step.canceller() >= 0) {
            allowed.add(ErrorKind.CANCELLED);
        }
        if (step.late() >= 0) {
            allowed.add(ErrorKind.TIMEOUT);
        }
        if (program.aborter() >= 0) {
            allowed.add(ErrorKind.ABORTED);
        }
        if (program.tight()) {
            allowed.add(ErrorKind.OVERLOADED);
        }
        if (afterDeparture(index)) {
            allowed.add(ErrorKind.LEFT);
        }
        assertTrue(outcome.isSuccess() || allowed.contains(outcome.failure), where + "allowed is " + allowed);
    }

    private void checkMemory(Step step, int rank, int index, FuzzOutcome outcome, String where) {
        assertTrue(outcome.isLeftAlone(), where + "somebody wrote to its memory after its end");
        Asked asked = step.askedBy(rank);
        if (asked.primitive() == Primitive.BARRIER) {
            return;
        }
        TensorView expected = expected(asked, rank, index);
        boolean reducing = asked.primitive().reducing();
        if (expected == null) {
            assertNull(outcome.output(), where);
        } else if (outcome.isSuccess()) {
            Tensors.assertSame(expected, outcome.outputAfter, where);
        } else if (step.deviant() >= 0
                && (reducing || asked.primitive() == Primitive.BROADCAST && rank == step.deviant())) {
            Tensors.assertSame(outcome.outputBefore, outcome.outputAfter, where + "buffer of a call that met another");
        }
        if (outcome.input() != null && outcome.input() != outcome.output()) {
            TensorView given = asked.primitive() == Primitive.ALL_REDUCE
                    ? FuzzRun.addend(asked, program.size(), rank, index)
                    : trial(asked, index).given(rank);
            Tensors.assertSame(given, outcome.inputAfter, where + "input");
        }
    }

    private TensorView expected(Asked asked, int rank, int index) {
        return switch (asked.primitive()) {
            case BROADCAST -> FuzzRun.given(asked, index);
            case ALL_REDUCE -> FuzzRun.reduced(asked, program.size(), index);
            default -> trial(asked, index).expected(rank);
        };
    }

    private Trial trial(Asked asked, int index) {
        return FuzzRun.trial(asked, program.size(), index, CallOptions.DEFAULT);
    }

    /** A success stands on calls that agree: of all ranks where the primitive synchronises, else of those it needs. */
    private void checkAgreement(Step step, int rank, int index, FuzzOutcome outcome, String where) {
        Asked asked = step.askedBy(rank);
        int[] needed = asked.primitive().synchronising()
                ? IntStream.range(0, program.size()).toArray()
                : IntStream.concat(needed(asked, rank), neighbours(asked, rank))
                        .filter(peer -> peer != rank)
                        .toArray();
        for (int peer : needed) {
            assertTrue(index < program.stepsOf(peer) && run.calls(peer).size() > index, where + "without rank " + peer);
            assertEquals(asked, step.askedBy(peer), where + "rank " + peer + " asked otherwise");
            assertTrue(
                    outcome(peer, index).submittedNanos <= outcome.endedNanos,
                    where + "ended before rank " + peer + " came");
        }
    }

    /** Whose data this rank has. */
    private IntStream needed(Asked asked, int rank) {
        return switch (asked.primitive().base()) {
            case BROADCAST, SCATTER -> IntStream.of(asked.root());
            default -> rank == asked.root() ? IntStream.range(0, program.size()) : IntStream.empty();
        };
    }

    private IntStream neighbours(Asked asked, int rank) {
        long count = asked.primitive().isBlocked() ? (long) asked.count() * program.size() : asked.count();
        Problem problem = Problem.of(asked.primitive(), rank, program.size(), count, asked.root(), false);
        return AlgorithmRegistry.standard()
                .find(asked.primitive(), asked.algorithm())
                .schedule(problem)
                .steps()
                .stream()
                .flatMapToInt(each -> switch (each) {
                    case Send send -> IntStream.of(send.peer());
                    case Recv recv -> IntStream.of(recv.peer());
                    case RecvReduce recv -> IntStream.of(recv.peer());
                    case Reduce _, Copy _ -> IntStream.empty();
                });
    }

    /** Whoever completed a call that failed elsewhere hears of it at a later call: once, and of such calls only. */
    private void checkNotices(int rank) {
        List<Integer> heard = run.calls(rank).stream()
                .flatMap(outcome -> outcome.refusals.stream())
                .toList();
        Set<Integer> due = new HashSet<>();
        for (int index = 0; index < program.stepsOf(rank); index++) {
            int number = index;
            boolean failedElsewhere = IntStream.range(0, program.size())
                    .filter(peer -> program.stepsOf(peer) > number)
                    .anyMatch(peer -> outcome(peer, number).failure != null);
            if (outcome(rank, index).isSuccess() && failedElsewhere) {
                due.add(index);
            }
        }
        assertTrue(due.containsAll(heard), "rank " + rank + " heard of " + heard + ", due were " + due);
        assertEquals(heard.size(), new HashSet<>(heard).size(), "rank " + rank + " heard twice: " + heard);
        if (rank != program.leaver()) {
            assertEquals(due.isEmpty(), heard.isEmpty(), "rank " + rank + " heard of " + heard + ", due were " + due);
        }
    }
}
