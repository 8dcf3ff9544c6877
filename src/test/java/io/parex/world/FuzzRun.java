package io.parex.world;

import io.parex.schedule.Primitive;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.world.FuzzProgram.Asked;
import io.parex.world.FuzzProgram.Operation;
import io.parex.world.FuzzProgram.Receive;
import io.parex.world.FuzzProgram.Send;
import io.parex.world.FuzzProgram.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Carries a program out on a simulated network and notes what became of every operation. */
final class FuzzRun {
    /** All messages are integers that tell the message and the place. */
    static final int MESSAGE_STRIDE = 1 << 17;

    /** A step reduces what this many steps before reduced, so that what is left of another step shows. */
    static final int SHIFTS = 11;

    private static final long PATIENCE_NANOS = Duration.ofMinutes(30).toNanos();
    private static final Asked LAST = new Asked(Primitive.BARRIER, null, null, -1, 0, "dissemination", "the last");
    private static final Step LAST_STEP = new Step(LAST, -1, null, -1, 0, -1, 0, false, 60_000_000_000L);

    private final FuzzProgram program;
    private final SimulatedHarness world;
    private final Random random;
    private final List<List<FuzzOutcome>> calls = new ArrayList<>();
    private final Map<Operation, FuzzOutcome> operations = new LinkedHashMap<>();
    private final List<SortedMap<Integer, Runnable>> refused = new ArrayList<>();
    private long leftNanos = Long.MAX_VALUE;
    private int open;

    FuzzRun(FuzzProgram program, Simulation.Weather weather) {
        this.program = program;
        random = new Random(program.seed());
        long pool = program.tight() ? 300_000 : 64 << 20;
        world = new SimulatedHarness(
                program.size(), WorldOptions.DEFAULT.withCopyPoolBytes(pool), program.seed(), weather);
        for (int rank = 0; rank < program.size(); rank++) {
            calls.add(new ArrayList<>());
            refused.add(new TreeMap<>());
        }
    }

    FuzzProgram program() {
        return program;
    }

    SimulatedHarness world() {
        return world;
    }

    /** Outcomes of the collectives of {@code rank}, in order; a last barrier comes after those of the program. */
    List<FuzzOutcome> calls(int rank) {
        return calls.get(rank);
    }

    Map<Operation, FuzzOutcome> operations() {
        return operations;
    }

    /** When the leaver left. */
    long leftNanos() {
        return leftNanos;
    }

    /** Runs to the end, then lets the ranks that are left make one more call each, which brings late notices. */
    void run() {
        for (int rank = 0; rank < program.size(); rank++) {
            next(rank, 0);
        }
        program.traffic().forEach(this::schedule);
        if (program.aborter() >= 0) {
            world.after(Duration.ofNanos(program.abortNanos()), () -> {
                if (world.worlds().get(program.aborter()).state() == WorldState.READY) {
                    world.group(program.aborter()).abort("fuzz");
                }
            });
        }
        world.simulation().runUntil(() -> open == 0, PATIENCE_NANOS);
        world.pass(Duration.ofSeconds(3));
        for (int rank = 0; rank < program.size(); rank++) {
            if (rank != program.leaver()) {
                open++;
                submit(rank, program.steps().size(), LAST_STEP);
            }
        }
        world.simulation().runUntil(() -> open == 0, PATIENCE_NANOS);
    }

    private void next(int rank, int index) {
        if (index < program.stepsOf(rank)) {
            Step step = program.steps().get(index);
            long late = rank == step.late() ? step.lateNanos() : 0;
            open++;
            long pause = random.nextBoolean() ? 0 : random.nextLong(3_000_000);
            world.after(Duration.ofNanos(pause + late), () -> submit(rank, index, step));
        } else {
            leaveIfThrough(rank);
        }
    }

    private void leaveIfThrough(int rank) {
        List<FuzzOutcome> made = calls.get(rank);
        if (rank == program.leaver()
                && made.size() == program.leaverSteps()
                && made.stream().allMatch(FuzzOutcome::isOver)) {
            leftNanos = world.nanoTime();
            world.worlds().get(rank).leave();
        }
    }

    private void submit(int rank, int index, Step step) {
        FuzzOutcome outcome = new FuzzOutcome(world);
        calls.get(rank).add(outcome);
        prepare(outcome, rank, index, step);
        if (refused.get(rank).isEmpty()) {
            call(outcome, rank, index, step);
        } else {
            // It has to wait for those before it.
            refused.get(rank).put(index, () -> call(outcome, rank, index, step));
        }
        if (program.inFlight() && index < program.steps().size()) {
            next(rank, index + 1);
        }
    }

    private void call(FuzzOutcome outcome, int rank, int index, Step step) {
        Asked asked = step.askedBy(rank);
        CallOptions options = new CallOptions(Duration.ofNanos(step.timeoutNanos()), asked.algorithm(), asked.name());
        ProcessGroup group = world.group(rank);
        Work work = outcome.start(
                () -> switch (asked.primitive()) {
                    case ALL_REDUCE -> group.allReduce(outcome.input(), outcome.output(), asked.op(), options);
                    case BROADCAST -> group.broadcast(outcome.output(), asked.root(), options);
                    case BARRIER -> group.barrier(options);
                    default ->
                        trial(asked, program.size(), index, options).call(group, outcome.input(), outcome.output());
                },
                () -> ended(outcome, rank, index, step));
        if (work != null && rank == step.canceller()) {
            world.after(Duration.ofNanos(step.cancelNanos()), () -> work.cancel("fuzz"));
        }
    }

    private void ended(FuzzOutcome outcome, int rank, int index, Step step) {
        if (outcome.takeRefusal()) {
            SortedMap<Integer, Runnable> again = refused.get(rank);
            again.put(index, () -> call(outcome, rank, index, step));
            // All calls made since are refused as well; then they are made again in their order.
            if (again.size() == calls.get(rank).size() - again.firstKey()) {
                world.after(Duration.ofNanos(1000), () -> callAgain(again));
            }
            return;
        }
        open--;
        if (program.inFlight()) {
            leaveIfThrough(rank);
        } else if (index < program.steps().size()) {
            next(rank, index + 1);
        }
    }

    private static void callAgain(SortedMap<Integer, Runnable> again) {
        List<Runnable> inOrder = List.copyOf(again.values());
        again.clear();
        inOrder.forEach(Runnable::run);
    }

    private void prepare(FuzzOutcome outcome, int rank, int index, Step step) {
        Asked asked = step.askedBy(rank);
        if (asked.primitive() == Primitive.ALL_REDUCE) {
            TensorView input = Tensors.copy(addend(asked, program.size(), rank, index));
            boolean inPlace = step.inPlace() && rank % 3 != 1;
            outcome.memory(input, inPlace ? input : Tensors.zeros(asked.type(), asked.count()));
        } else if (asked.primitive() == Primitive.BROADCAST) {
            boolean root = rank == asked.root();
            outcome.memory(null, root ? given(asked, index) : Tensors.zeros(asked.type(), asked.count()));
        } else if (asked.primitive() != Primitive.BARRIER) {
            Trial trial = trial(asked, program.size(), index, CallOptions.DEFAULT);
            TensorView expected = trial.expected(rank);
            outcome.memory(trial.given(rank), expected == null ? null : Tensors.zeros(asked.type(), expected.count()));
        }
    }

    /** A collective of blocks as all ranks make it. */
    static Trial trial(Asked asked, int size, int index, CallOptions options) {
        Trial.Builder builder = new Trial.Builder(
                asked.primitive(),
                asked.type(),
                asked.op(),
                size,
                Math.max(0, asked.root()),
                options,
                100_000L * index);
        if (!asked.primitive().isV()) {
            return builder.each(asked.count(), false);
        }
        return builder.open(IntStream.range(0, size)
                .mapToLong(rank -> rank % 3 == 1 ? 0 : asked.count() + rank)
                .toArray());
    }

    /** What a rank gives to an all_reduce. */
    static TensorView addend(Asked asked, int size, int rank, int index) {
        int shift = index % SHIFTS;
        return Reference.input(asked.type(), asked.count() + shift, asked.op(), size, rank)
                .slice(shift, asked.count());
    }

    /** What the root of a broadcast gives. */
    static TensorView given(Asked asked, int index) {
        long bytes = (long) asked.count() * asked.type().bytes();
        return TensorView.of(Tensors.pattern(bytes, 100L * index + asked.root()).segment(), asked.type());
    }

    /** What all ranks get from an all_reduce. */
    static TensorView reduced(Asked asked, int size, int index) {
        int shift = index % SHIFTS;
        return Reference.result(asked.type(), asked.count() + shift, asked.op(), size)
                .slice(shift, asked.count());
    }

    private void schedule(Operation operation) {
        FuzzOutcome outcome = new FuzzOutcome(world);
        operations.put(operation, outcome);
        open++;
        world.after(Duration.ofNanos(operation.atNanos()), () -> {
            Work work =
                    outcome.start(() -> world.group(operation.rank()).submit(call(outcome, operation)), () -> open--);
            if (work != null && operation.cancelNanos() >= 0) {
                world.after(Duration.ofNanos(operation.cancelNanos()), () -> work.cancel("fuzz"));
            }
        });
    }

    private static Call call(FuzzOutcome outcome, Operation operation) {
        CallOptions options = CallOptions.DEFAULT.withTimeout(Duration.ofNanos(operation.timeoutNanos()));
        Send sent = operation.send();
        Receive received = operation.receive();
        outcome.memory(
                sent == null ? null : message(sent.id(), sent.count()),
                received == null ? null : Tensors.filled(DataType.INT32, received.count(), i -> -1));
        Call send =
                sent == null ? null : Call.send(TensorStream.input(outcome.input()), sent.to(), sent.tag(), options);
        Call recv = received == null
                ? null
                : Call.recv(TensorStream.output(outcome.output()), received.source(), received.tag(), options);
        return send == null ? recv : recv == null ? send : Call.sendRecv(send, recv);
    }

    /** The content of message {@code id}. */
    static TensorView message(int id, int count) {
        return Tensors.filled(DataType.INT32, count, i -> (double) id * MESSAGE_STRIDE + i);
    }
}
