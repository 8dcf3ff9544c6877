package io.parex.simulator;

import io.parex.protocol.Frame;
import io.parex.tensor.BufferPool;
import io.parex.transport.Network;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/**
 * Virtual time and everything that is going to happen in it. Frames take a random time and keep their order per link;
 * now and then a link stalls. All that the simulated ranks do happens inside {@link #runUntil}, on the calling thread.
 */
public final class Simulation implements AutoCloseable {

    /**
     * How bad the network is.
     *
     * @param maxDelayNanos longest ordinary delay of a frame
     * @param stallChance chance that a frame stalls its link
     * @param maxStallNanos longest stall
     * @param wired whether frames travel as bytes over connections, else as they are
     * @param cutChance chance that a chunk of bytes is the last of its connection for now
     */
    public record Weather(long maxDelayNanos, double stallChance, long maxStallNanos, boolean wired, double cutChance) {
        /** A quick network without stalls. */
        public static final Weather CALM = new Weather(50_000, 0, 0, false, 0);

        /** Delays up to 1 ms, and a stall of up to 80 ms once in 200 frames. */
        public static final Weather ROUGH = new Weather(1_000_000, 0.005, 80_000_000, false, 0);

        /** As {@link #CALM}, over connections. */
        public static final Weather WIRED = new Weather(50_000, 0, 0, true, 0);

        /** As {@link #ROUGH}, over connections. */
        public static final Weather ROUGH_WIRED = new Weather(1_000_000, 0.005, 80_000_000, true, 0);

        /** As {@link #ROUGH}, over connections of which one in 50 chunks is the last. */
        public static final Weather CUTTING = new Weather(1_000_000, 0.005, 80_000_000, true, 0.02);
    }

    private static final long NETWORK_BYTES = 1L << 30;

    private record Event(long atNanos, long order, Runnable task) {}

    private final long seed;
    private final Random random;
    private final Weather weather;
    private final BufferPool pool;
    private final NetworkFaults faults = new NetworkFaults(this);
    private final LinkWatch watch = new LinkWatch(this);
    private final BufferPool network = new BufferPool(NETWORK_BYTES);
    private final SimulatedRank[] ranks;

    /** Of each rank the process that is found where it is looked for; mostly the latest one. */
    private final SimulatedRank[] places;

    /** All processes there were, by their address. */
    private final Map<String, SimulatedRank> processes = new HashMap<>();

    private final SimulatedWires wires = new SimulatedWires(this);
    private final PriorityQueue<Event> events = new PriorityQueue<>(
            (a, b) -> a.atNanos != b.atNanos ? Long.compare(a.atNanos, b.atNanos) : Long.compare(a.order, b.order));
    private long nowNanos;
    private long order;
    private UnaryOperator<Frame> tampering = UnaryOperator.identity();
    private Sabotage sabotage = new Sabotage() {};
    private SimulatedRank running;
    private RuntimeException escaped;

    /** A network for {@code size} ranks that share {@code poolBytes} of memory for copies and scratch. */
    public Simulation(int size, long seed, Weather weather, long poolBytes) {
        this.seed = seed;
        this.random = new Random(seed);
        this.weather = weather;
        this.pool = new BufferPool(poolBytes, "parex.scratch.max-bytes");
        this.ranks = new SimulatedRank[size];
        this.places = new SimulatedRank[size];
        for (int i = 0; i < size; i++) {
            replace(i, new SimulatedRank(this, i, nonce(i), pool, network), false);
        }
    }

    /** Tells the first process of a rank from others. */
    long nonce(int rank) {
        return 1000 + rank;
    }

    /** What rank {@code rank} sees. */
    public Network network(int rank) {
        return ranks[rank];
    }

    /** Plants a defect. */
    public void plant(Sabotage planted) {
        sabotage = planted;
    }

    Sabotage sabotage() {
        return sabotage;
    }

    /** What can go wrong beside the weather. */
    public NetworkFaults faults() {
        return faults;
    }

    /** Who looks at what links carry. */
    LinkWatch watch() {
        return watch;
    }

    /**
     * From now on rank {@code rank} is another process, which knows nothing.
     *
     * @param elsewhere whether the one before it is still found where the rank is looked for
     */
    void replace(int rank, SimulatedRank life, boolean elsewhere) {
        ranks[rank] = life;
        places[rank] = elsewhere ? places[rank] : life;
    }

    /** Gives a process its address. */
    String address(SimulatedRank process) {
        String address = "host:" + (1 + processes.size());
        processes.put(address, process);
        return address;
    }

    /** The process with an address; null if there is none. */
    SimulatedRank process(String address) {
        return processes.get(address);
    }

    /** The process that is found where a rank is looked for. */
    SimulatedRank placed(int rank) {
        return places[rank];
    }

    /** Memory of the network itself. */
    BufferPool network() {
        return network;
    }

    /** Bytes on their way and bytes that have arrived and that a rank keeps, but for ranks with their own memory. */
    public long networkBytes() {
        return network.usedBytes();
    }

    /** Number of ranks. */
    int size() {
        return ranks.length;
    }

    /** The connections between the ranks. */
    SimulatedWires wires() {
        return wires;
    }

    /** Whether frames travel as bytes over connections. */
    public boolean isWired() {
        return weather.wired();
    }

    /** Draws whether a connection breaks. */
    boolean cutsNow() {
        return weather.cutChance() > 0 && random.nextDouble() < weather.cutChance();
    }

    SimulatedRank rank(int rank) {
        return ranks[rank];
    }

    /** Virtual time since the start. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Numbers drawn from the run's seed. */
    public Random random() {
        return random;
    }

    /**
     * Makes the network break its word, to see whether a test notices: what it gives for a frame is sent, null is lost.
     */
    public void tamper(UnaryOperator<Frame> fault) {
        tampering = fault;
    }

    Frame tampered(Frame frame) {
        return tampering.apply(frame);
    }

    /** Whether a task of {@code rank}'s loop is running. */
    boolean isRunning(SimulatedRank rank) {
        return running == rank;
    }

    /** Runs {@code task} outside all loops, as a caller's thread would, after {@code delayNanos}. */
    public void after(long delayNanos, Runnable task) {
        at(nowNanos + delayNanos, null, task);
    }

    void at(long atNanos, SimulatedRank rank, Runnable task) {
        at(atNanos, rank, task, () -> {});
    }

    /** Runs {@code task} on the loop of {@code rank}, or {@code ifDead} on none if its process is gone by then. */
    void at(long atNanos, SimulatedRank rank, Runnable task, Runnable ifDead) {
        events.add(new Event(atNanos, order++, () -> {
            if (rank != null && rank.isDead()) {
                ifDead.run();
                return;
            }
            running = rank;
            try {
                task.run();
            } catch (RuntimeException e) {
                escaped = escaped == null ? e : escaped;
            } finally {
                running = null;
            }
        }));
    }

    long delayNanos() {
        long delay = 1 + random.nextLong(weather.maxDelayNanos());
        if (random.nextDouble() < weather.stallChance()) {
            delay += random.nextLong(weather.maxStallNanos());
        }
        return delay;
    }

    /** Lets time pass until {@code done}, for at most {@code limitNanos}; fails with the seed if it does not come. */
    public void runUntil(BooleanSupplier done, long limitNanos) {
        long end = nowNanos + limitNanos;
        while (!done.getAsBoolean()) {
            Event next = events.poll();
            if (next == null || next.atNanos > end) {
                throw new AssertionError(
                        "not done after " + limitNanos / 1_000_000 + " ms of virtual time; " + replay());
            }
            happen(next);
        }
    }

    private void happen(Event event) {
        nowNanos = Math.max(nowNanos, event.atNanos);
        event.task.run();
        if (escaped != null) {
            throw new AssertionError("an exception escaped to a loop; " + replay(), escaped);
        }
    }

    /** Lets {@code nanos} pass. */
    public void run(long nanos) {
        boolean[] over = new boolean[1];
        after(nanos, () -> over[0] = true);
        runUntil(() -> over[0], nanos);
    }

    /** Frees the memory for copies and scratch; nothing runs after that. */
    @Override
    public void close() {
        network.close();
        pool.close();
        faults.close();
    }

    /** How to see this run again. */
    public String replay() {
        return "replay with -Dparex.seed=" + seed;
    }
}
