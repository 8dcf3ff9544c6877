package io.parex.world;

import io.parex.protocol.link.LinkPhase;
import io.parex.schedule.Primitive;
import io.parex.simulator.NetworkFaults;
import io.parex.simulator.Sabotage;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.FaultPlan.Fault;
import io.parex.world.FuzzProgram.Asked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Ranks that make correct calls, and processes and connections that fail; notes what became of every operation. */
final class FaultRun {
    /** Of every call; much longer than it takes to lose a peer. */
    static final long TIMEOUT_NANOS = Duration.ofSeconds(60).toNanos();

    private static final long PATIENCE_NANOS = Duration.ofMinutes(60).toNanos();
    private static final long POOL_BYTES = 64 << 20;
    private static final int[] COUNTS = {0, 1, 5, 100, 1001, 8192, 16_384, 16_385, 40_000};
    private static final DataType[] TYPES = {DataType.INT32, DataType.INT64, DataType.FLOAT32, DataType.FLOAT64};
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX};

    private static final int BURST = 150;
    private static final long AIM_NANOS = 3_000_000;
    private static final int AIM_TIMES = 50;
    private static final long BURST_NANOS = 100_000_000;

    /** A message with a tag of its own. */
    record Message(int id, int from, int to, int count, FuzzOutcome sent, FuzzOutcome received) {}

    private final long seed;
    private final Random random;
    private final int size;
    private final List<Asked> steps = new ArrayList<>();
    private final FaultPlan plan;
    private final SimulatedHarness world;
    private final NetworkFaults faults;
    private final FaultTable table;
    private final List<List<FuzzOutcome>> calls = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<World> successors = new ArrayList<>();
    private final long[] diedNanos;
    private long operations;
    private long firstFatalNanos = Long.MAX_VALUE;
    private boolean partitioned;

    FaultRun(long seed, int scale, Simulation.Weather weather, FaultTable table, Sabotage planted) {
        this.seed = seed;
        this.table = table;
        random = new Random(seed);
        size = 2 + random.nextInt(4);
        for (int i = scale * (3 + random.nextInt(4)); i > 0; i--) {
            steps.add(step());
        }
        if (random.nextInt(6) == 0) {
            // More than a rank takes before it can reduce it.
            steps.set(
                    0,
                    new Asked(
                            Primitive.ALL_REDUCE,
                            DataType.INT64,
                            ReduceOp.SUM,
                            -1,
                            300_000,
                            "recursive_doubling",
                            "large"));
        }
        plan = FaultPlan.draw(random, size, scale * 150_000_000L);
        Simulation simulation = new Simulation(size, seed, weather, POOL_BYTES);
        simulation.plant(planted);
        faults = simulation.faults();
        faults.separateMemory(POOL_BYTES);
        world = new SimulatedHarness(
                simulation, size, WorldOptions.DEFAULT.withCallTimeout(Duration.ofNanos(TIMEOUT_NANOS)));
        for (int rank = 0; rank < size; rank++) {
            calls.add(new ArrayList<>());
        }
        for (int i = scale * random.nextInt(15); i > 0; i--) {
            int count = COUNTS[1 + random.nextInt(COUNTS.length - 1)];
            long at = random.nextLong(scale * 150_000_000L);
            message(random.nextInt(size), random.nextInt(size), count, at, random.nextLong(scale * 150_000_000L));
        }
        if (random.nextInt(8) == 0) {
            burst();
        }
        diedNanos = new long[size];
        Arrays.fill(diedNanos, Long.MAX_VALUE);
    }

    private Asked step() {
        DataType type = TYPES[random.nextInt(TYPES.length)];
        int count = COUNTS[random.nextInt(COUNTS.length)];
        return switch (random.nextInt(4)) {
            case 0 -> new Asked(Primitive.BARRIER, null, null, -1, 0, "dissemination", "");
            case 1 ->
                new Asked(
                        Primitive.BROADCAST,
                        type,
                        null,
                        random.nextInt(size),
                        count,
                        random.nextBoolean() ? "chain" : "binomial",
                        "");
            default ->
                new Asked(
                        Primitive.ALL_REDUCE,
                        type,
                        OPS[random.nextInt(OPS.length)],
                        -1,
                        count,
                        random.nextBoolean() ? "ring" : "recursive_doubling",
                        "");
        };
    }

    long seed() {
        return seed;
    }

    int size() {
        return size;
    }

    List<Asked> steps() {
        return steps;
    }

    SimulatedHarness world() {
        return world;
    }

    List<FuzzOutcome> calls(int rank) {
        return calls.get(rank);
    }

    List<Message> messages() {
        return messages;
    }

    /** When the process of a rank ended; {@link Long#MAX_VALUE} if it did not. */
    long diedNanos(int rank) {
        return diedNanos[rank];
    }

    /** When the first fault came that may cost a rank. */
    long firstFatalNanos() {
        return firstFatalNanos;
    }

    /** Whether ranks that live may have been lost. */
    boolean isPartitioned() {
        return partitioned;
    }

    /** Whether a rank was started again. */
    boolean wasRestarted() {
        return !successors.isEmpty();
    }

    /** More small messages to one rank, which receives the most of them late, than there is credit for. */
    private void burst() {
        int from = random.nextInt(size);
        int to = (from + 1) % size;
        for (int i = 0; i < BURST; i++) {
            long late = i < BURST / 3 ? 0 : 2 * BURST_NANOS;
            message(from, to, 16_384, late, 20 * late);
        }
    }

    private void message(int from, int to, int count, long sendNanos, long receiveNanos) {
        Message message = new Message(messages.size(), from, to, count, new FuzzOutcome(world), new FuzzOutcome(world));
        messages.add(message);
        CallOptions options = CallOptions.DEFAULT;
        message.sent().memory(FuzzRun.message(message.id(), count), null);
        message.received().memory(null, Tensors.filled(DataType.INT32, count, i -> -1));
        at(
                sendNanos + random.nextLong(BURST_NANOS),
                from,
                message.sent(),
                () -> world.group(from)
                        .submit(Call.send(TensorStream.input(message.sent().input()), to, message.id(), options)));
        at(
                receiveNanos + random.nextLong(BURST_NANOS),
                to,
                message.received(),
                () -> world.group(to)
                        .submit(Call.recv(
                                TensorStream.output(message.received().output()), from, message.id(), options)));
    }

    private void at(long nanos, int rank, FuzzOutcome outcome, java.util.function.Supplier<Work> call) {
        world.after(Duration.ofNanos(nanos), () -> {
            if (!isDead(rank)) {
                operations++;
                outcome.start(call, () -> {});
            }
        });
    }

    private boolean isDead(int rank) {
        return diedNanos[rank] != Long.MAX_VALUE;
    }

    /** Makes all calls, then leaves the world, and waits until nothing moves any more. */
    void run() {
        plan.faults().forEach(this::schedule);
        IntStream.range(0, size).forEach(rank -> next(rank, 0));
        world.simulation().runUntil(this::isThrough, PATIENCE_NANOS);
        plan.lateFaults().forEach(this::schedule);
        world.worlds().forEach(World::leave);
        successors.forEach(World::leave);
        world.simulation()
                .runUntil(
                        () -> IntStream.range(0, size)
                                .allMatch(rank ->
                                        isDead(rank) || world.worlds().get(rank).state() == WorldState.CLOSED),
                        PATIENCE_NANOS);
        world.pass(Duration.ofSeconds(40));
        successors.forEach(World::leave);
        world.pass(Duration.ofSeconds(1));
        table.seed(operations);
    }

    private boolean isThrough() {
        return IntStream.range(0, size).allMatch(rank -> isDead(rank) || isThrough(rank));
    }

    private boolean isThrough(int rank) {
        List<FuzzOutcome> made = calls.get(rank);
        return made.size() == steps.size()
                && made.getLast().isOver()
                && messages.stream()
                        .allMatch(each -> (each.from() != rank || each.sent().isOver())
                                && (each.to() != rank || each.received().isOver()));
    }

    private void next(int rank, int index) {
        if (index == steps.size()) {
            return;
        }
        long pause = random.nextBoolean() ? 0 : random.nextLong(2_000_000);
        world.after(Duration.ofNanos(pause), () -> {
            if (!isDead(rank)) {
                operations++;
                FuzzOutcome outcome = new FuzzOutcome(world);
                calls.get(rank).add(outcome);
                prepare(outcome, rank, index);
                call(outcome, rank, index);
            }
        });
    }

    private void prepare(FuzzOutcome outcome, int rank, int index) {
        Asked asked = steps.get(index);
        if (asked.primitive() == Primitive.ALL_REDUCE) {
            TensorView input = Tensors.copy(FuzzRun.addend(asked, size, rank, index));
            outcome.memory(input, (rank + index) % 2 == 0 ? input : Tensors.zeros(asked.type(), asked.count()));
        } else if (asked.primitive() == Primitive.BROADCAST) {
            boolean root = rank == asked.root();
            outcome.memory(null, root ? FuzzRun.given(asked, index) : Tensors.zeros(asked.type(), asked.count()));
        }
    }

    private void call(FuzzOutcome outcome, int rank, int index) {
        Asked asked = steps.get(index);
        CallOptions options = new CallOptions(Duration.ofNanos(TIMEOUT_NANOS), asked.algorithm(), asked.name());
        ProcessGroup group = world.group(rank);
        outcome.start(
                () -> switch (asked.primitive()) {
                    case ALL_REDUCE -> group.allReduce(outcome.input(), outcome.output(), asked.op(), options);
                    case BROADCAST -> group.broadcast(outcome.output(), asked.root(), options);
                    default -> group.barrier(options);
                },
                () -> {
                    if (outcome.takeRefusal()) {
                        world.after(Duration.ofNanos(1000), () -> call(outcome, rank, index));
                    } else {
                        next(rank, index + 1);
                    }
                });
    }

    private void schedule(Fault fault) {
        if (fault.cutBefore() >= 0) {
            world.after(
                    Duration.ofNanos(Math.max(0, fault.atNanos() - fault.cutBefore())),
                    () -> faults.cut(fault.rank(), fault.peer()));
        }
        boolean aimed = fault.kind().isFatal() && fault.atNanos() < AIM_NANOS && fault.nanos() % 2 == 0;
        world.after(Duration.ofNanos(fault.atNanos()), () -> {
            if (aimed) {
                aim(fault, AIM_TIMES);
            } else {
                happen(fault);
            }
        });
    }

    /** Waits a little for a link that is being made for the first time, which chance seldom meets. */
    private void aim(Fault fault, int times) {
        for (int pair = 0; pair < size * size; pair++) {
            int a = pair / size;
            int b = pair % size;
            if (a != b && !isDead(a) && !isDead(b) && faults.phase(a, b) == LinkPhase.DIALLING) {
                happen(new Fault(fault.kind(), fault.atNanos(), b, a, fault.nanos(), fault.cutBefore()));
                return;
            }
        }
        if (times > 0) {
            world.after(Duration.ofNanos(AIM_NANOS / 10), () -> aim(fault, times - 1));
        } else {
            happen(fault);
        }
    }

    private void happen(Fault fault) {
        int rank = fault.rank();
        int peer = fault.peer();
        if (isDead(rank) || fault.kind().isDeath() && firstFatalNanos != Long.MAX_VALUE) {
            return;
        }
        table.fault();
        count(fault);
        if (fault.kind().isFatal()) {
            firstFatalNanos = Math.min(firstFatalNanos, world.nanoTime());
        }
        switch (fault.kind()) {
            case CUT -> faults.cut(rank, peer);
            case HALF_CUT -> faults.cutHalf(rank, peer, fault.nanos());
            case STALL -> faults.stall(rank, peer, fault.nanos());
            case SLOW -> faults.slow(rank, fault.nanos());
            case LATE_GREETING -> faults.greetAgain(rank, peer);
            case PARTITION -> {
                partitioned = true;
                faults.stall(rank, peer, fault.nanos());
            }
            case CRASH -> die(rank, false);
            case VANISH -> die(rank, true);
            case RESTART -> {
                die(rank, false);
                world.after(
                        Duration.ofNanos(fault.nanos()),
                        () -> successors.add(World.join(
                                rank,
                                size,
                                WorldOptions.DEFAULT.withStartTimeout(Duration.ofSeconds(20)),
                                faults.restart(rank))));
            }
        }
    }

    private void die(int rank, boolean silently) {
        diedNanos[rank] = world.nanoTime();
        faults.crash(rank, silently);
    }

    private void count(Fault fault) {
        boolean ofRank = fault.kind().isDeath() || fault.kind() == FaultPlan.Kind.SLOW;
        for (int other = 0; other < size; other++) {
            if (other != fault.rank() && (ofRank || other == fault.peer()) && !isDead(other)) {
                LinkPhase phase = faults.phase(other, fault.rank());
                table.met(fault.kind(), phase);
            }
        }
        if (!ofRank && !isDead(fault.peer())) {
            table.met(fault.kind(), faults.phase(fault.rank(), fault.peer()));
        }
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + size + " ranks, " + steps.size() + " calls, " + messages.size() + " messages"
                + plan;
    }
}
