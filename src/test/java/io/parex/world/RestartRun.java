package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.simulator.NetworkFaults;
import io.parex.simulator.Sabotage;
import io.parex.simulator.Simulation;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.transport.Network;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Ranks whose processes end and are started again, also while the group is being recovered, and further processes that
 * take themselves for a rank: of one rank in a run, for whoever dials reaches the latest process, and two ranks both
 * behind others at their addresses cannot meet. Each process has a job that makes the calls of a program, one after the
 * other, and recovers the group whenever one fails; who looks after the processes starts another for each that has
 * ended.
 */
final class RestartRun {
    private static final Duration CALL = Duration.ofSeconds(60);
    private static final Duration RECOVERY = Duration.ofSeconds(40);
    private static final long PATIENCE_NANOS = Duration.ofMinutes(60).toNanos();
    private static final long POOL_BYTES = 64 << 20;
    private static final long MILLI = 1_000_000;
    private static final int TAG = 7;
    private static final WorldOptions OPTIONS =
            WorldOptions.DEFAULT.withCallTimeout(CALL).withStartTimeout(Duration.ofMinutes(30));

    private final long seed;
    private final Random random;
    private final int size;
    private final int steps;
    private final Simulation simulation;
    private final NetworkFaults faults;
    private final List<Process> processes = new ArrayList<>();
    private final Map<Long, Recovered> recoveries = new HashMap<>();
    private final StringBuilder story = new StringBuilder();

    /** In some runs nobody calls anything for a while: ranks that are started again then need no recovery. */
    private final long idleNanos;

    /** In some runs the job calls on a group that it creates, of all ranks in another order. */
    private final boolean grouped;

    private long lastFaultNanos;
    private int restarts;

    /** The rank whose later processes are not where the others look for it; -1 for none. */
    private int mover = -1;

    /** The rank that several processes take themselves for; -1 for none. */
    private int twin = -1;

    private int recovered;
    private boolean over;

    RestartRun(long seed, Sabotage planted) {
        this.seed = seed;
        random = new Random(seed);
        size = 2 + random.nextInt(5);
        steps = 20 + random.nextInt(60);
        idleNanos = random.nextInt(3) == 0 ? random.nextLong(15_000 * MILLI) : 0;
        simulation = new Simulation(size, seed, Simulation.Weather.ROUGH_WIRED, POOL_BYTES);
        simulation.plant(planted);
        faults = simulation.faults();
        mover = random.nextInt(3) == 0 ? random.nextInt(size) : -1;
        grouped = seed % 3 == 1;
        faults.separateMemory(POOL_BYTES);
        for (int rank = 0; rank < size; rank++) {
            processes.add(new Process(rank, simulation.network(rank), true));
        }
    }

    int restarts() {
        return restarts;
    }

    int recovered() {
        return recovered;
    }

    /** Runs the program to its end, with at least one process of each rank, and checks what came of it. */
    void run() {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            simulation.after(random.nextLong(12_000 * MILLI), this::fault);
        }
        for (int i = random.nextInt(12); i > 0; i--) {
            simulation.after(random.nextLong(12_000 * MILLI), this::disturb);
        }
        lastFaultNanos = 12_000 * MILLI;
        simulation.runUntil(this::isThrough, PATIENCE_NANOS);
        over = true;
        processes.forEach(each -> each.world.leave());
        simulation.run(Duration.ofSeconds(60).toNanos());
        for (Process process : processes) {
            if (!process.ended) {
                assertEquals(0, process.world.inFlight(), process + ": operations in flight");
                assertEquals(0, process.network.pool().usedBytes(), process + ": scratch and copies");
                assertEquals(0, process.network.arrivals().usedBytes(), process + ": arrivals");
            }
        }
        simulation.close();
    }

    private boolean isThrough() {
        if (simulation.nowNanos() < lastFaultNanos) {
            return false;
        }
        for (int rank = 0; rank < size; rank++) {
            int which = rank;
            if (processes.stream().noneMatch(each -> each.rank == which && each.isThrough())) {
                return false;
            }
        }
        return true;
    }

    private void fault() {
        int rank = random.nextInt(size);
        Process victim = processes.stream()
                .filter(each -> each.rank == rank && !each.ended)
                .findFirst()
                .orElse(null);
        int kind = random.nextInt(4);
        if (kind == 0 && twin >= 0 && twin != rank) {
            kind = 2;
        }
        tell("fault " + kind + " of rank " + rank);
        switch (kind) {
            case 0 -> {
                twin = rank;
                start(rank);
            }
            case 1 -> {
                // Cut off from all for longer than it takes to lose it.
                long nanos = (7000 + random.nextInt(20_000)) * MILLI;
                for (int peer = 0; peer < size; peer++) {
                    if (peer != rank) {
                        faults.stall(rank, peer, nanos);
                        faults.stall(peer, rank, nanos);
                    }
                }
            }
            default -> {
                if (victim != null) {
                    victim.end();
                    startLater(rank);
                }
            }
        }
    }

    private void startLater(int rank) {
        simulation.after(random.nextLong(random.nextBoolean() ? 5 * MILLI : 8000 * MILLI), () -> start(rank));
    }

    private void start(int rank) {
        restarts++;
        processes.add(new Process(rank, faults.restart(rank, rank == mover), false));
    }

    private void disturb() {
        int a = random.nextInt(size);
        int b = (a + 1 + random.nextInt(size - 1)) % size;
        switch (random.nextInt(4)) {
            case 0 -> faults.cut(a, b);
            case 1 -> faults.cutHalf(a, b, random.nextLong(1500 * MILLI));
            case 2 -> faults.stall(a, b, random.nextLong(1500 * MILLI));
            default -> faults.slow(a, random.nextLong(1500 * MILLI));
        }
    }

    private void tell(String what) {
        story.append("\n  ")
                .append(simulation.nowNanos() / MILLI)
                .append(" ms: ")
                .append(what);
    }

    private static TensorView ints(int count, int first) {
        return Tensors.filled(DataType.INT32, count, i -> first + i);
    }

    /** A process of a rank, and the job that calls it. */
    private final class Process {
        private final int rank;
        private final Network network;
        private final World world;
        private final boolean isFirst;
        private ProcessGroup group;
        private int index;
        private boolean recovering;
        private boolean ended;

        Process(int rank, Network network, boolean isFirst) {
            this.rank = rank;
            this.network = network;
            this.isFirst = isFirst;
            world = World.join(rank, size, OPTIONS, network);
            world.joined()
                    .subscribe()
                    .with(joined -> simulation.after(idleNanos, this::create), failure -> failedToStart());
            simulation.after(MILLI, this::look);
        }

        private void failedToStart() {
            if (!ended && !over) {
                tell(this + " has not started: " + world.refusal());
                end();
                startLater(rank);
            }
        }

        private void create() {
            if (ended || !grouped) {
                group = world.group();
                begin();
                return;
            }
            List<Integer> members = IntStream.iterate(size - 1, each -> each >= 0, each -> each - 1)
                    .boxed()
                    .toList();
            world.newGroup("job", members)
                    .subscribe()
                    .with(
                            made -> {
                                group = made;
                                begin();
                            },
                            failure -> tell(this + " creates no group: " + failure.getMessage()));
        }

        private void begin() {
            if (ended) {
                return;
            }
            if (!isFirst && random.nextBoolean() || group.outdated().isPresent()) {
                recover();
            } else {
                exchange();
            }
        }

        /** What looks after processes, and what a job does that has made all its calls. */
        private void look() {
            if (ended) {
                return;
            }
            if (world.state() == WorldState.LOST) {
                tell(this + " is lost: " + world.refusal());
                end();
                startLater(rank);
                return;
            }
            if (group != null
                    && index >= steps
                    && !recovering
                    && group.outdated().isPresent()) {
                recover();
            }
            simulation.after(200 * MILLI, this::look);
        }

        void end() {
            if (!ended) {
                ended = true;
                tell(this + " ends");
                faults.crash(network);
            }
        }

        boolean isThrough() {
            return !ended
                    && world.state() == WorldState.READY
                    && index >= steps
                    && !recovering
                    && group.outdated().isEmpty();
        }

        /** A message to the next rank, and one from the rank before, about the step that both are in. */
        private void exchange() {
            if (ended || index >= steps) {
                return;
            }
            int step = index;
            int to = group.rankOf((rank + 1) % size);
            int source = (rank + size - 1) % size;
            int from = group.rankOf(source);
            int count = step % 7 == 0 ? 20_000 : 10;
            TensorView sent = ints(count, 1000 * step + rank);
            TensorView received = ints(count, -1);
            CallOptions options = CallOptions.DEFAULT;
            Work send = attempt(() -> group.submit(Call.send(TensorStream.input(sent), to, TAG, options)));
            Work receive = attempt(() -> group.submit(Call.recv(TensorStream.output(received), from, TAG, options)));
            if (send == null || receive == null) {
                recover();
                return;
            }
            send.completion().subscribe().with(done -> {}, failure -> {});
            receive.completion()
                    .subscribe()
                    .with(
                            done -> {
                                Tensors.assertSame(
                                        ints(count, 1000 * step + source),
                                        received,
                                        this + ": message of step " + step);
                                reduce(step);
                            },
                            failure -> failed((ParexException) failure));
        }

        private void reduce(int step) {
            if (ended) {
                return;
            }
            if (step != index || recovering) {
                throw new AssertionError(this + " goes on with step " + step);
            }
            int count = step % 5 == 0 ? 30_000 : 100;
            TensorView tensor = ints(count, rank + 1000 * step);
            Work work = attempt(() -> group.allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT));
            if (work == null) {
                recover();
                return;
            }
            work.completion()
                    .subscribe()
                    .with(
                            done -> {
                                TensorView sum = Tensors.filled(
                                        DataType.INT32,
                                        count,
                                        i -> (double) size * (i + 1000 * step) + size * (size - 1) / 2.0);
                                Tensors.assertSame(sum, tensor, this + ": sum of step " + step);
                                index = step + 1;
                                simulation.after(random.nextLong(400 * MILLI), this::exchange);
                            },
                            failure -> failed((ParexException) failure));
        }

        private Work attempt(java.util.function.Supplier<Work> call) {
            try {
                return call.get();
            } catch (ParexException e) {
                assertTrue(e.kind() == ErrorKind.UNAVAILABLE, this + ": " + e);
                return null;
            }
        }

        private void failed(ParexException failure) {
            switch (failure.kind()) {
                case PEER_FAILED, ABORTED, LEFT -> recover();
                default -> throw new AssertionError(this + " at step " + index + ": " + failure, failure);
            }
        }

        private void recover() {
            if (ended || recovering || world.state() != WorldState.READY) {
                return;
            }
            recovering = true;
            group.recover(RECOVERY).subscribe().with(this::goOn, failure -> {
                recovering = false;
                tell(this + ": " + failure.getMessage());
                simulation.after(random.nextLong(500 * MILLI), this::recover);
            });
        }

        private void goOn(Recovered result) {
            recovering = false;
            recovered++;
            tell(this + " goes on: " + result);
            index = (int) result.nextCall();
            exchange();
        }

        @Override
        public String toString() {
            return "process " + processes.indexOf(this) + " of rank " + rank + " at step " + index;
        }
    }

    @Override
    public String toString() {
        return "seed " + seed + ", " + size + " ranks, " + steps + " steps" + story;
    }
}
