package io.parex.world;

import io.parex.schedule.Buffer;
import io.parex.schedule.Edge;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import io.parex.tensor.Reduction;
import io.parex.transport.OwnerLoop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Runs one rank's schedule: looks at a step whenever something that it waits for has got on, until all steps are done.
 * The one engine for every algorithm. Owner loop only.
 */
final class ScheduleRunner {
    private final OwnerLoop loop;
    private final Wire wire;
    private final StreamGates gates;
    private final Runnable onDone;
    private final List<StepRun> steps = new ArrayList<>();
    private final List<SendRun> sends = new ArrayList<>();
    private final List<ReceiveRun> receives = new ArrayList<>();
    private final Map<Integer, List<SendRun>> sendsTo = new HashMap<>();
    private final Map<Integer, List<ReceiveRun>> receivesFrom = new HashMap<>();
    private final Deque<StepRun> queue = new ArrayDeque<>();
    private int doneSteps;
    private boolean draining;
    private boolean stopped;

    /**
     * Prepares a run; nothing is sent before {@link #start}.
     *
     * @param reducing null for a call that reduces nothing
     * @param onDone runs once, when the last step is done
     */
    ScheduleRunner(
            OwnerLoop loop,
            Schedule schedule,
            Buffers buffers,
            Reducing reducing,
            StreamGates gates,
            Wire wire,
            Runnable onDone) {
        this.loop = loop;
        this.wire = wire;
        this.gates = gates;
        this.onDone = onDone;
        for (Step step : schedule.steps()) {
            steps.add(prepare(step, buffers, reducing));
        }
        for (Edge edge : schedule.edges()) {
            steps.get(edge.to()).waitFor(steps.get(edge.from()), edge);
        }
        Pipes.join(schedule, steps, buffers);
    }

    private StepRun prepare(Step step, Buffers buffers, Reducing reducing) {
        Reduction reduction = reducing == null ? null : reducing.reduction();
        return switch (step) {
            case Step.Send send -> {
                Region source = buffers.region(send.source());
                SendRun[] self = new SendRun[1];
                self[0] = new SendRun(send, source, wire, gates, () -> progressed(self[0]));
                sends.add(self[0]);
                // In the order of their ordinals, which the builder counts up per peer; so are the receives.
                sendsTo.computeIfAbsent(send.peer(), any -> new ArrayList<>()).add(self[0]);
                gates.reads(self[0], source);
                yield self[0];
            }
            case Step.Recv recv -> {
                Region target = buffers.region(recv.target());
                yield receive(new ReceiveRun(recv, target, reducing, gates), target);
            }
            case Step.RecvReduce recv -> {
                Region own = buffers.region(recv.own());
                Region target = buffers.region(recv.target());
                ReceiveRun run = new ReceiveRun(recv, own, target, reducing, gates);
                gates.reads(run, own);
                yield receive(run, target);
            }
            case Step.Reduce reduce ->
                local(reduce, buffers, reduce.left(), reduce.right(), reduce.target(), reduction);
            case Step.Copy copy -> local(copy, buffers, copy.source(), null, copy.target(), reduction);
        };
    }

    private ReceiveRun receive(ReceiveRun run, Region target) {
        receives.add(run);
        receivesFrom.computeIfAbsent(run.peer(), any -> new ArrayList<>()).add(run);
        gates.writes(run, target);
        return run;
    }

    private LocalRun local(Step step, Buffers buffers, Slice left, Slice right, Slice target, Reduction reduction) {
        boolean isLone = left.buffer().equals(Buffer.INPUT) && target.buffer().equals(Buffer.OUTPUT);
        boolean alone = reduction != null && right == null && isLone;
        Region from = buffers.region(left);
        Region with = right == null ? null : buffers.region(right);
        Region into = buffers.region(target);
        LocalRun run = new LocalRun(step.length(), from, with, into, reduction, alone, gates);
        gates.reads(run, from);
        if (with != null) {
            gates.reads(run, with);
        }
        gates.writes(run, into);
        return run;
    }

    /** Grants what is too large to come unasked and begins every step that can. */
    void start() {
        for (ReceiveRun receive : receives) {
            if (receive.bytes() > Limits.EAGER_BYTES) {
                receive.grant(wire);
            }
        }
        steps.forEach(this::wake);
        drain();
    }

    /**
     * A peer has announced a transfer.
     *
     * @return false if the schedule expects no such transfer
     * @throws LengthsDiffer if it expects another number of elements
     */
    boolean attach(int peer, int ordinal, InTransfer transfer) throws LengthsDiffer {
        ReceiveRun receive = numbered(receivesFrom, peer, ordinal);
        if (receive == null || receive.isAttached()) {
            return false;
        }
        if (receive.bytes() != transfer.bytes()) {
            throw new LengthsDiffer(receive.length(), transfer.bytes() / receive.wireWidth());
        }
        receive.attach(transfer, () -> look(receive));
        if (transfer.waitsForGrant()) {
            receive.grant(wire);
        }
        // A transfer without bytes is done by being announced.
        progressed(receive);
        return true;
    }

    /**
     * A peer takes the first {@code bytes} bytes of this rank's transfer number {@code ordinal} to it.
     *
     * @throws LengthsDiffer if these are more than this rank sends
     */
    void granted(int peer, int ordinal, long bytes) throws LengthsDiffer {
        SendRun send = numbered(sendsTo, peer, ordinal);
        if (send == null) {
            return;
        }
        if (bytes > send.length() * send.wireWidth()) {
            throw new LengthsDiffer(bytes / send.wireWidth(), send.length());
        }
        send.granted(bytes);
        progressed(send);
    }

    private static <T> T numbered(Map<Integer, List<T>> runs, int peer, int ordinal) {
        List<T> list = runs.getOrDefault(peer, List.of());
        return ordinal < list.size() ? list.get(ordinal) : null;
    }

    /** A peer has agreed, so that sends to it may have ended; no step's watermark shows that. */
    void agreed(int peer) {
        sendsTo.getOrDefault(peer, List.of()).forEach(this::wake);
        drain();
    }

    /** The caller has written more input. */
    void inputGrew() {
        gates.inputReaders().forEach(this::wake);
        drain();
    }

    /** The caller has drained output. */
    void outputDrained() {
        gates.unblockedWriters().forEach(this::wake);
        drain();
    }

    /** No step does anything more. */
    void stop() {
        stopped = true;
        queue.clear();
        receives.forEach(receive -> receive.stop(wire));
    }

    /** Transfers to peers that have begun. */
    List<OutTransfer> outgoing() {
        return sends.stream()
                .map(SendRun::transfer)
                .filter(transfer -> transfer != null)
                .toList();
    }

    /** Transfers from peers that have begun. */
    List<InTransfer> incoming() {
        return receives.stream()
                .map(ReceiveRun::transfer)
                .filter(transfer -> transfer != null)
                .toList();
    }

    /** Group ranks without whose next frame this rank cannot end, each once. */
    int[] awaited() {
        return IntStream.concat(
                        receives.stream().filter(each -> !each.isDone()).mapToInt(ReceiveRun::peer),
                        sends.stream().filter(each -> !each.isDone()).mapToInt(SendRun::peer))
                .distinct()
                .sorted()
                .toArray();
    }

    /** Those of {@link #awaited} for whom steps wait that nothing on this rank holds up, in the schedule's order. */
    int[] blockers() {
        return steps.stream()
                .mapToInt(StepRun::awaitedPeer)
                .filter(peer -> peer >= 0)
                .distinct()
                .toArray();
    }

    private void progressed(StepRun step) {
        step.followers().forEach(this::wake);
        look(step);
    }

    private void look(StepRun step) {
        wake(step);
        drain();
    }

    private void wake(StepRun step) {
        if (step.markQueued()) {
            queue.add(step);
        }
    }

    private void drain() {
        if (draining || stopped) {
            return;
        }
        draining = true;
        long budget = Limits.TURN_BYTES;
        try {
            while (!queue.isEmpty() && budget > 0) {
                budget -= visit(queue.remove());
                if (queue.isEmpty()) {
                    // A forwarding step that got on made room in a windowed output.
                    gates.unblockedWriters().forEach(this::wake);
                }
            }
        } finally {
            draining = false;
        }
        if (!queue.isEmpty()) {
            loop.execute(this::drain);
        }
        gates.report();
        if (!stopped && allDone()) {
            stop();
            onDone.run();
        }
    }

    /** What is done stays done, so the steps before the first one that is not need no second look. */
    private boolean allDone() {
        while (doneSteps < steps.size() && steps.get(doneSteps).isDone()) {
            doneSteps++;
        }
        return doneSteps == steps.size();
    }

    private long visit(StepRun step) {
        step.unmarkQueued();
        long before = step.watermark();
        long worked = step.advance();
        if (step instanceof ReceiveRun receive && receive.isGranted()) {
            receive.grant(wire);
        }
        if (step.watermark() > before || step.announceDone()) {
            step.followers().forEach(this::wake);
        }
        if (worked > 0) {
            wake(step);
        }
        return worked * Long.BYTES;
    }
}
