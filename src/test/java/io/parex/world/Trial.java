package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** One collective as all ranks make it: what each gives, how it is called, and what each must have afterwards. */
final class Trial {
    private static final int ROOM = 3;

    private final Primitive primitive;
    private final DataType type;
    private final ReduceOp op;
    private final int size;
    private final int root;
    private final long[] lengths;
    private final boolean inPlace;
    private final boolean open;
    private final CallOptions options;
    private final long seed;
    private final List<TensorView> inputs = new ArrayList<>();
    private final List<TensorView> outputs = new ArrayList<>();

    private Trial(Builder builder, long[] lengths, boolean inPlace, boolean open) {
        this.primitive = open ? builder.primitive.vForm() : builder.primitive;
        this.type = builder.type;
        this.op = builder.op;
        this.size = builder.size;
        this.root = builder.root;
        this.options = builder.options;
        this.seed = builder.seed;
        this.lengths = lengths;
        this.inPlace = inPlace;
        this.open = open;
    }

    /** What trials have in common; {@code op} of reductions only, other seeds move other bytes. */
    record Builder(
            Primitive primitive, DataType type, ReduceOp op, int size, int root, CallOptions options, long seed) {

        static Builder of(Primitive primitive, DataType type, int size, int root) {
            ReduceOp op = primitive.reducing() ? ReduceOp.SUM : null;
            return new Builder(primitive, type, op, size, root, CallOptions.DEFAULT, 0);
        }

        Builder by(String algorithm) {
            return new Builder(primitive, type, op, size, root, options.withAlgorithm(algorithm), seed);
        }

        Builder with(ReduceOp reduction) {
            return new Builder(primitive, type, reduction, size, root, options, seed);
        }

        /** Blocks of {@code count} elements each, or one tensor of that many. */
        Trial each(long count, boolean inPlace) {
            return new Trial(
                    this, IntStream.range(0, size).mapToLong(i -> count).toArray(), inPlace, false);
        }

        /** Blocks of any lengths. */
        Trial blocks(long[] lengths, boolean inPlace) {
            return new Trial(this, lengths, inPlace, false);
        }

        /** Blocks of lengths that receivers do not know; outputs have room for a little more. */
        Trial open(long[] lengths) {
            return new Trial(this, lengths, false, true);
        }
    }

    /** Makes the call on all ranks. */
    List<Work> start(Harness world) {
        for (int rank = 0; rank < size; rank++) {
            prepare(rank);
        }
        return world.onAll(group -> call(group, inputs.get(group.rank()), outputs.get(group.rank())));
    }

    /** Makes the call on all ranks, waits, and checks. */
    void run(Harness world) {
        List<Work> works = start(world);
        world.succeed(works);
        check(works);
    }

    /** Looks at what a call that has ended well has left. */
    void check(List<Work> works) {
        for (int rank = 0; rank < size; rank++) {
            String where = this + " on rank " + rank;
            TensorView expected = expected(rank);
            TensorView output = outputs.get(rank);
            if (expected != null) {
                Tensors.assertSame(expected, output.slice(0, expected.count()), "output of " + where);
                TensorView rest = output.slice(expected.count(), output.count() - expected.count());
                Tensors.assertSame(Tensors.zeros(type, rest.count()), rest, "room of " + where);
            }
            if (!inPlace && inputs.get(rank) != null) {
                Tensors.assertSame(given(rank), inputs.get(rank), "input of " + where);
            }
            Completion end = works.get(rank).await();
            assertEquals(expected == null ? 0 : expected.count(), end.count(), where);
            assertEquals(lengthsOfOutput(rank), end.lengths(), where);
        }
    }

    private List<Long> lengthsOfOutput(int rank) {
        if (!primitive.isV() || isElsewhere(rank) && primitive.base() != Primitive.SCATTER) {
            return List.of();
        }
        return switch (primitive.base()) {
            case SCATTER, REDUCE_SCATTER -> List.of(lengths[rank]);
            default ->
                IntStream.range(0, size).mapToObj(from -> length(from, rank)).toList();
        };
    }

    private boolean isElsewhere(int rank) {
        return primitive.rooted() && rank != root;
    }

    /** Elements of the block that {@code from} has for {@code to}. */
    private long length(int from, int to) {
        return switch (primitive.base()) {
            case GATHER, ALL_GATHER -> lengths[from];
            case SCATTER, REDUCE_SCATTER -> lengths[to];
            case ALL_TO_ALL -> lengths[inPlace ? (from + to) % size : (3 * from + to) % size];
            default -> lengths[0];
        };
    }

    private long[] row(int rank, boolean taken) {
        IntToLongFunction length = peer -> taken ? length(peer, rank) : length(rank, peer);
        return IntStream.range(0, size).mapToLong(length).toArray();
    }

    private long offset(int rank) {
        return Arrays.stream(lengths).limit(rank).sum();
    }

    private void prepare(int rank) {
        TensorView given = given(rank);
        TensorView expected = expected(rank);
        TensorView input = given == null ? null : Tensors.copy(given);
        TensorView output = expected == null ? null : Tensors.zeros(type, expected.count() + (open ? ROOM : 0));
        if (inPlace && input != null && output != null) {
            switch (primitive.base()) {
                case GATHER, ALL_GATHER -> {
                    TensorView own = output.slice(offset(rank), lengths[rank]);
                    own.segment().copyFrom(input.segment());
                    input = own;
                }
                case SCATTER, REDUCE_SCATTER -> output = input.slice(offset(rank), lengths[rank]);
                default -> output = input;
            }
        }
        inputs.add(input);
        outputs.add(output);
    }

    /** What a rank gives; null if nothing. */
    TensorView given(int rank) {
        return switch (primitive.base()) {
            case BROADCAST -> rank == root ? join(IntStream.of(rank).mapToObj(r -> block(r, r))) : null;
            case SCATTER -> rank == root ? join(ranks().mapToObj(to -> block(rank, to))) : null;
            case GATHER, ALL_GATHER -> block(rank, rank);
            case ALL_TO_ALL -> join(ranks().mapToObj(to -> block(rank, to)));
            case REDUCE, ALL_REDUCE -> Reference.input(type, lengths[0], op, size, rank);
            case REDUCE_SCATTER -> Reference.input(type, offset(size), op, size, rank);
            default -> null;
        };
    }

    /** What a rank gets; null if nothing. */
    TensorView expected(int rank) {
        return switch (primitive.base()) {
            case BROADCAST -> rank == root ? null : block(root, root);
            case SCATTER -> block(root, rank);
            case GATHER -> rank == root ? join(ranks().mapToObj(from -> block(from, from))) : null;
            case ALL_GATHER -> join(ranks().mapToObj(from -> block(from, from)));
            case ALL_TO_ALL -> join(ranks().mapToObj(from -> block(from, rank)));
            case REDUCE -> rank == root ? Reference.result(type, lengths[0], op, size) : null;
            case ALL_REDUCE -> Reference.result(type, lengths[0], op, size);
            case REDUCE_SCATTER ->
                Reference.result(type, offset(size), op, size).slice(offset(rank), lengths[rank]);
            default -> null;
        };
    }

    private IntStream ranks() {
        return IntStream.range(0, size);
    }

    private TensorView block(int from, int to) {
        return TensorView.of(
                Tensors.pattern(length(from, to) * type.bytes(), seed + 1000L * from + to)
                        .segment(),
                type);
    }

    private TensorView join(Stream<TensorView> blocks) {
        List<TensorView> all = blocks.toList();
        TensorView joined =
                Tensors.zeros(type, all.stream().mapToLong(TensorView::count).sum());
        long offset = 0;
        for (TensorView each : all) {
            joined.slice(offset, each.count()).segment().copyFrom(each.segment());
            offset += each.count();
        }
        return joined;
    }

    /** Makes the call on one rank. */
    Work call(ProcessGroup group, TensorView in, TensorView out) {
        long[] known = isElsewhere(group.rank()) ? null : lengths;
        return switch (primitive) {
            case BARRIER -> group.barrier(options);
            case BROADCAST -> group.broadcast(in != null ? in : out, root, options);
            case SCATTER -> group.scatter(in, out, root, options);
            case GATHER -> group.gather(in, out, root, options);
            case ALL_GATHER -> group.allGather(in, out, options);
            case REDUCE -> group.reduce(in, out, op, root, options);
            case ALL_REDUCE -> group.allReduce(in, out, op, options);
            case REDUCE_SCATTER -> group.reduceScatter(in, out, op, options);
            case ALL_TO_ALL -> group.allToAll(in, out, options);
            case SCATTER_V ->
                open
                        ? group.scatterVOpen(in, out, known, root, options)
                        : group.scatterV(in, out, known, root, options);
            case GATHER_V ->
                open ? group.gatherVOpen(in, out, root, options) : group.gatherV(in, out, known, root, options);
            case ALL_GATHER_V ->
                open ? group.allGatherVOpen(in, out, options) : group.allGatherV(in, out, lengths, options);
            case REDUCE_SCATTER_V -> group.reduceScatterV(in, out, lengths, op, options);
            case ALL_TO_ALL_V -> {
                long[] sent = row(group.rank(), false);
                yield open
                        ? group.allToAllVOpen(in, out, sent, options)
                        : group.allToAllV(in, out, sent, row(group.rank(), true), options);
            }
            default -> throw new IllegalArgumentException(primitive.label());
        };
    }

    @Override
    public String toString() {
        return primitive.label() + " of " + Arrays.toString(lengths) + " " + type.label()
                + (op == null ? "" : " " + op.label()) + (primitive.rooted() ? ", root " + root : "")
                + (inPlace ? ", in place" : "") + (open ? ", lengths open" : "") + ", " + options.algorithm();
    }
}
