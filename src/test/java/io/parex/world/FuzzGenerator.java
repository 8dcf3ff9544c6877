package io.parex.world;

import io.parex.algorithm.Algorithm;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.world.FuzzProgram.Asked;
import io.parex.world.FuzzProgram.Operation;
import io.parex.world.FuzzProgram.Receive;
import io.parex.world.FuzzProgram.Send;
import io.parex.world.FuzzProgram.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws programs from seeds: small tensors mostly, and those around the eager limit and the unit of pipelining. */
final class FuzzGenerator {
    private static final int[] COUNTS = {0, 1, 2, 5, 100, 1000, 1001, 8192, 16_383, 16_384, 16_385, 40_000, 70_000};
    private static final DataType[] TYPES = {DataType.INT32, DataType.INT64, DataType.FLOAT32, DataType.FLOAT64};
    private static final ReduceOp[] OPS = {ReduceOp.SUM, ReduceOp.AVG, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.PRODUCT};
    private static final Primitive[] BLOCKED = {
        Primitive.SCATTER,
        Primitive.GATHER,
        Primitive.ALL_GATHER,
        Primitive.REDUCE,
        Primitive.REDUCE_SCATTER,
        Primitive.ALL_TO_ALL,
        Primitive.SCATTER_V,
        Primitive.GATHER_V,
        Primitive.ALL_GATHER_V,
        Primitive.ALL_TO_ALL_V
    };
    private static final int TAGS = 3;
    private static final long MILLI = 1_000_000;
    private static final long LONG_TIMEOUT = 60_000 * MILLI;

    private final Random random;
    private final long seed;
    private final int size;
    private final boolean inFlight;
    private final boolean orderly;
    private int messages;

    private FuzzGenerator(long seed) {
        this.seed = seed;
        random = new Random(seed);
        size = 2 + random.nextInt(5);
        inFlight = chance(0.3);
        orderly = chance(0.3);
    }

    /** The program of a seed. */
    static FuzzProgram program(long seed) {
        return new FuzzGenerator(seed).draw();
    }

    private FuzzProgram draw() {
        List<Step> steps = new ArrayList<>();
        int lates = 0;
        double faults = chance(0.3) ? 0 : 0.5;
        for (int i = 4 + random.nextInt(10); i > 0; i--) {
            Step step = step(chance(faults), lates < 2);
            lates += step.late() >= 0 ? 1 : 0;
            steps.add(step);
        }
        List<Operation> traffic = new ArrayList<>();
        int[] modes = random.ints(size, 0, orderly ? 4 : 5).toArray();
        for (int i = chance(0.25) ? 0 : random.nextInt(40); i > 0; i--) {
            message(traffic, modes);
        }
        boolean aborts = !orderly && chance(0.15);
        boolean leaves = !orderly && chance(0.2);
        return new FuzzProgram(
                seed,
                size,
                inFlight,
                chance(0.15),
                steps,
                traffic,
                orderly,
                aborts ? random.nextInt(size) : -1,
                random.nextInt(300) * MILLI,
                leaves ? random.nextInt(size) : -1,
                random.nextInt(steps.size()));
    }

    private Step step(boolean troubled, boolean mayBeLate) {
        Asked asked = asked();
        int trouble = troubled ? random.nextInt(mayBeLate ? 3 : 2) : -1;
        boolean late = trouble == 2;
        return new Step(
                asked,
                trouble == 0 ? random.nextInt(size) : -1,
                trouble == 0 ? other(asked) : null,
                late ? random.nextInt(size) : -1,
                random.nextInt(4000) * MILLI,
                trouble == 1 ? random.nextInt(size) : -1,
                random.nextLong(4 * MILLI),
                random.nextBoolean(),
                late ? 2000 * MILLI : LONG_TIMEOUT);
    }

    private Asked asked() {
        DataType type = TYPES[random.nextInt(TYPES.length)];
        int count = COUNTS[random.nextInt(COUNTS.length)];
        return switch (random.nextInt(9)) {
            case 5, 6, 7, 8 -> blocked(type, count);
            case 0 -> new Asked(Primitive.BARRIER, null, null, -1, 0, "dissemination", "");
            case 1, 2 -> {
                String algorithm = random.nextBoolean() ? "chain" : "binomial";
                yield new Asked(Primitive.BROADCAST, type, null, random.nextInt(size), count, algorithm, "");
            }
            default -> {
                String algorithm = random.nextBoolean() ? "ring" : "recursive_doubling";
                ReduceOp op = OPS[random.nextInt(OPS.length)];
                yield new Asked(Primitive.ALL_REDUCE, type, op, -1, count, algorithm, "");
            }
        };
    }

    /** A collective of blocks, or a reduction to a root; v-forms have open lengths where they can. */
    private Asked blocked(DataType type, int count) {
        Primitive primitive = BLOCKED[random.nextInt(BLOCKED.length)];
        List<Algorithm> algorithms = AlgorithmRegistry.standard().of(primitive).stream()
                .filter(algorithm -> algorithm.handles(primitive, size))
                .toList();
        return new Asked(
                primitive,
                type,
                primitive.reducing() ? OPS[random.nextInt(OPS.length)] : null,
                primitive.rooted() ? random.nextInt(size) : -1,
                count / size,
                algorithms.get(random.nextInt(algorithms.size())).name(),
                "");
    }

    /** Another call than {@code asked}, at least by a field. */
    private Asked other(Asked asked) {
        Asked other = random.nextInt(3) == 0 ? asked() : variant(asked);
        return other.equals(asked) ? other(asked) : other;
    }

    private Asked variant(Asked a) {
        if (a.primitive() == Primitive.BARRIER || random.nextInt(4) == 0) {
            return new Asked(a.primitive(), a.type(), a.op(), a.root(), a.count(), a.algorithm(), "odd");
        }
        // Other lengths of a v-form that leaves them open are no other call.
        return switch (random.nextInt(a.primitive().isV() ? 1 : 0, 3)) {
            case 0 -> new Asked(a.primitive(), a.type(), a.op(), a.root(), a.count() + 1, a.algorithm(), a.name());
            case 1 -> {
                DataType type = a.type() == DataType.INT32 ? DataType.FLOAT32 : DataType.INT32;
                yield new Asked(a.primitive(), type, a.op(), a.root(), a.count(), a.algorithm(), a.name());
            }
            default -> {
                ReduceOp op = a.op() != null ? OPS[random.nextInt(OPS.length)] : null;
                int root = a.primitive().rooted() ? random.nextInt(size) : -1;
                yield new Asked(a.primitive(), a.type(), op, root, a.count(), a.algorithm(), a.name());
            }
        };
    }

    /** A message and its receive, or a send_recv between two ranks. */
    private void message(List<Operation> traffic, int[] modes) {
        int from = random.nextInt(size);
        int to = random.nextInt(size);
        int tag = random.nextInt(TAGS);
        Send send = new Send(messages++, to, tag, count(to));
        if (chance(0.1) && modes[from] < 2 && modes[to] < 2) {
            // A tag of its own, so that no other receive takes what an exchange needs.
            int own = TAGS + messages;
            Send forth = new Send(send.id(), to, own, count(to));
            Send back = new Send(messages++, from, own, count(from));
            traffic.add(operation(from, forth, new Receive(to, own, count(from), false)));
            if (orderly || chance(0.9)) {
                traffic.add(operation(to, back, new Receive(from, own, count(to), false)));
            }
            return;
        }
        if (orderly || chance(0.9)) {
            traffic.add(operation(from, send, null));
        }
        if (orderly || chance(0.9)) {
            boolean wrong = !orderly && chance(0.05);
            int mode = modes[to] < 4 ? modes[to] : random.nextInt(4);
            int source = mode % 2 == 1 ? ProcessGroup.ANY_SOURCE : from;
            int asked = mode >= 2 ? ProcessGroup.ANY_TAG : tag;
            traffic.add(operation(to, null, new Receive(source, asked, count(to) + (wrong ? 1 : 0), wrong)));
        }
    }

    /** All messages to a rank have one size, so that open receives can take any of them. */
    private int count(int to) {
        return new int[] {1, 300, 16_384, 16_385, 50_000, 7}[(int) ((seed + to) % 6)];
    }

    private Operation operation(int rank, Send send, Receive receive) {
        return new Operation(
                rank,
                random.nextLong(300 * MILLI),
                send,
                receive,
                !orderly && chance(0.07) ? random.nextLong(5 * MILLI) : -1,
                orderly ? LONG_TIMEOUT : 3000 * MILLI);
    }

    private boolean chance(double probability) {
        return random.nextDouble() < probability;
    }
}
