package io.parex.schedule;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Writes the schedule of one rank. Authors list steps in an order in which they could run one after the other; the
 * builder numbers the messages per peer and direction and derives from the slices what each step waits for (see
 * {@link Edge}): read after write, write after read, write after write. Where input and output share memory, slices of
 * one conflict with slices of the other. A slice of length 0 is a token: a step that names it waits for the end of the
 * last earlier step that wrote it, which is how a barrier, or a tensor without elements, still orders its messages.
 *
 * <p>One builder makes one schedule. A wrong argument is a fault of the algorithm: {@link IllegalArgumentException}.
 */
public final class ScheduleBuilder {
    private final String algorithm;
    private final Problem problem;
    private final int rank;
    private final int size;
    private final Aliasing aliasing;
    private final List<Step> steps = new ArrayList<>();
    private final List<Long> scratchLengths = new ArrayList<>();
    private final Map<Integer, Integer> sends = new HashMap<>();
    private final Map<Integer, Integer> receives = new HashMap<>();
    private final List<Integer> sendSteps = new ArrayList<>();
    private final List<Integer> receiveSteps = new ArrayList<>();
    private final Dependences dependences;
    private final Set<Integer> awaited = new TreeSet<>();

    /**
     * A schedule without steps.
     *
     * @param algorithm name of the algorithm
     * @param problem what the schedule solves
     */
    public ScheduleBuilder(String algorithm, Problem problem) {
        this.algorithm = algorithm;
        this.problem = problem;
        this.rank = problem.rank();
        this.size = problem.size();
        this.aliasing = problem.aliasing();
        this.dependences = new Dependences(aliasing);
    }

    /** A new scratch buffer of {@code length} elements. */
    public Buffer scratch(long length) {
        check(length >= 0, () -> "scratch of " + length + " elements");
        scratchLengths.add(length);
        return Buffer.scratch(scratchLengths.size() - 1);
    }

    /** Sends {@code source}; see {@link Step.Send}. */
    public ScheduleBuilder send(int peer, Slice source) {
        return add(new Step.Send(checkedPeer(peer), source, next(sends, peer)));
    }

    /** Receives into {@code target} what has its form: into output values, into scratch of a reducing one partials. */
    public ScheduleBuilder recv(int peer, Slice target) {
        boolean partial = reducing() && target.buffer().isScratch();
        return recv(peer, target, partial);
    }

    /**
     * Receives into {@code target}; see {@link Step.Recv}.
     *
     * @param partial whether the peer sends from scratch
     */
    public ScheduleBuilder recv(int peer, Slice target, boolean partial) {
        return add(new Step.Recv(checkedPeer(peer), target, partial, next(receives, peer)));
    }

    /**
     * Receives and combines, the operand of the lower rank first; see {@link Step.RecvReduce}.
     *
     * @param partial whether the peer sends from scratch
     */
    public ScheduleBuilder recvReduce(int peer, Slice own, Slice target, boolean partial) {
        return recvReduce(peer, own, target, partial, rank < peer);
    }

    /**
     * Receives and combines; see {@link Step.RecvReduce}.
     *
     * @param partial whether the peer sends from scratch
     * @param ownFirst whether {@code own} is the left operand
     */
    public ScheduleBuilder recvReduce(int peer, Slice own, Slice target, boolean partial, boolean ownFirst) {
        return add(new Step.RecvReduce(checkedPeer(peer), own, target, partial, ownFirst, next(receives, peer)));
    }

    /** Combines locally; see {@link Step.Reduce}. */
    public ScheduleBuilder reduce(Slice left, Slice right, Slice target) {
        return add(new Step.Reduce(left, right, target));
    }

    /** Copies locally, see {@link Step.Copy}; what is there already, being the same memory, is not copied. */
    public ScheduleBuilder copy(Slice source, Slice target) {
        boolean there = !reducing() && aliasing.memory(source).equals(aliasing.memory(target));
        return there ? this : add(new Step.Copy(source, target));
    }

    /**
     * Has the next step wait for the end of the last send before the latest {@code count} ones, whatever they touch. If
     * it is a send, and so was every send before it, no more than {@code count + 1} are ever on their way at once.
     */
    public ScheduleBuilder afterSendsBut(int count) {
        int position = sendSteps.size() - 1 - count;
        if (position >= 0) {
            awaited.add(sendSteps.get(position));
        }
        return this;
    }

    /**
     * Has the next step wait for the end of all receives before it, whatever they touch: to pass on that their senders
     * have called where what it sends of theirs may be empty.
     */
    public ScheduleBuilder afterReceives() {
        awaited.addAll(receiveSteps);
        return this;
    }

    /** The schedule of all steps added. */
    public Schedule build() {
        boolean[] pipes = PipeRule.pipes(steps, scratchLengths);
        List<Schedule.Scratch> scratch = new ArrayList<>();
        for (int index = 0; index < pipes.length; index++) {
            scratch.add(new Schedule.Scratch(scratchLengths.get(index), pipes[index]));
        }
        return new Schedule(
                problem.primitive().base(),
                algorithm,
                rank,
                size,
                List.copyOf(steps),
                dependences.edges(),
                List.copyOf(scratch));
    }

    private boolean reducing() {
        return problem.primitive().reducing();
    }

    private ScheduleBuilder add(Step step) {
        List<Slice> reads = StepSlices.reads(step);
        List<Slice> writes = StepSlices.writes(step);
        for (Slice slice : reads) {
            checkSlice(step, slice);
        }
        for (Slice target : writes) {
            checkSlice(step, target);
            check(!target.buffer().equals(Buffer.INPUT), () -> "input is read-only: " + step);
            for (Slice read : reads) {
                check(!shifted(read, target), () -> "a step may alias its own slices exactly or not at all: " + step);
            }
        }
        dependences.add(steps.size(), step, awaited);
        awaited.clear();
        switch (step) {
            case Step.Send send -> sendSteps.add(steps.size());
            case Step.Recv recv -> receiveSteps.add(steps.size());
            case Step.RecvReduce recv -> receiveSteps.add(steps.size());
            default -> {
                // Nobody waits for a local step as such.
            }
        }
        steps.add(step);
        return this;
    }

    private void checkSlice(Step step, Slice slice) {
        check(slice.length() == step.length(), () -> "slices of different lengths: " + step);
        Buffer buffer = slice.buffer();
        if (buffer.isScratch()) {
            check(buffer.index() < scratchLengths.size(), () -> "no such buffer: " + step);
            check(slice.end() <= scratchLengths.get(buffer.index()), () -> "slice ends after its buffer: " + step);
        }
    }

    private boolean shifted(Slice read, Slice target) {
        return !aliasing.memory(read).equals(aliasing.memory(target)) && aliasing.overlap(read, target);
    }

    private int checkedPeer(int peer) {
        check(peer >= 0 && peer < size && peer != rank, () -> "rank " + rank + " of " + size + " has no peer " + peer);
        return peer;
    }

    private static int next(Map<Integer, Integer> counters, int peer) {
        return counters.merge(peer, 1, Integer::sum) - 1;
    }

    private static void check(boolean good, Supplier<String> fault) {
        if (!good) {
            throw new IllegalArgumentException(fault.get());
        }
    }
}
