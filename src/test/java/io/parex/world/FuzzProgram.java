package io.parex.world;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the ranks of a world do, and what goes wrong meanwhile.
 *
 * @param seed it was drawn from
 * @param size ranks
 * @param inFlight whether ranks make their next collective before the last has ended
 * @param tight whether memory for scratch and copies is scarce
 * @param steps the collectives, which all ranks make in this order
 * @param traffic the messages beside them
 * @param orderly whether every message has its receive and nobody gives up
 * @param aborter rank that aborts what runs on it after {@code abortNanos}, -1 for none
 * @param leaver rank that leaves after its first {@code leaverSteps} steps, -1 for none
 */
record FuzzProgram(
        long seed,
        int size,
        boolean inFlight,
        boolean tight,
        List<Step> steps,
        List<Operation> traffic,
        boolean orderly,
        int aborter,
        long abortNanos,
        int leaver,
        int leaverSteps) {

    /** A collective as one rank makes it. */
    record Asked(Primitive primitive, DataType type, ReduceOp op, int root, int count, String algorithm, String name) {}

    /**
     * A collective that all ranks make, one of them perhaps not like the rest.
     *
     * @param deviant rank that asks for {@code other}, -1 for none
     * @param late rank that calls {@code lateNanos} later than it could, -1 for none
     * @param canceller rank that cancels its call after {@code cancelNanos}, -1 for none
     */
    record Step(
            Asked asked,
            int deviant,
            Asked other,
            int late,
            long lateNanos,
            int canceller,
            long cancelNanos,
            boolean inPlace,
            long timeoutNanos) {

        Asked askedBy(int rank) {
            return rank == deviant ? other : asked;
        }
    }

    /** A message; no two of a program have the same number. */
    record Send(int id, int to, int tag, int count) {}

    /**
     * A receive.
     *
     * @param wrong whether its size is not that of any message it could get
     */
    record Receive(int source, int tag, int count, boolean wrong) {

        boolean takes(int from, int messageTag) {
            return (source == ProcessGroup.ANY_SOURCE || source == from)
                    && (tag == ProcessGroup.ANY_TAG || tag == messageTag);
        }
    }

    /**
     * A point-to-point operation: a send, a receive, or both for a send_recv.
     *
     * @param cancelNanos when it is cancelled after its start, -1 for never
     */
    record Operation(int rank, long atNanos, Send send, Receive receive, long cancelNanos, long timeoutNanos) {}

    /** Collectives that {@code rank} makes. */
    int stepsOf(int rank) {
        return rank == leaver ? leaverSteps : steps.size();
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + size + " ranks" + (inFlight ? ", calls in flight" : "")
                + (tight ? ", memory tight" : "")
                + (aborter < 0 ? "" : ", rank " + aborter + " aborts at " + abortNanos)
                + (leaver < 0 ? "" : ", rank " + leaver + " leaves after " + leaverSteps + " steps")
                + lines(steps) + lines(traffic);
    }

    private static String lines(List<?> items) {
        return items.stream().map(item -> "\n  " + item).collect(Collectors.joining());
    }
}
