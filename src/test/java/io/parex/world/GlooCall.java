package io.parex.world;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A call that torch.distributed with gloo and Parex both make; {@code src/test/python/gloo_peer.py} is the other side.
 *
 * @param name of the function there
 * @param op reduction; SUM where nothing is combined
 * @param count elements of the input; of those that consist of blocks, of a block
 */
record GlooCall(String name, DataType type, ReduceOp op, int root, int count) {
    private static final List<DataType> INTEGERS =
            List.of(DataType.UINT8, DataType.INT8, DataType.INT32, DataType.INT64);
    private static final List<DataType> FLOATS = List.of(DataType.FLOAT16, DataType.FLOAT32, DataType.FLOAT64);
    private static final List<ReduceOp> ARITHMETIC =
            List.of(ReduceOp.SUM, ReduceOp.PRODUCT, ReduceOp.MIN, ReduceOp.MAX);
    private static final List<ReduceOp> BITWISE = List.of(ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR);

    /** On both sides of the size from which on the larger messages are negotiated. */
    private static final int[] COUNTS = {1, 7, 1000, 20_000};

    /** Everything that gloo of torch 1.13 has, of all types that both have; roots take turns. */
    static List<GlooCall> all(int size) {
        List<GlooCall> calls = new ArrayList<>();
        for (DataType type : concat(INTEGERS, FLOATS)) {
            for (int count : COUNTS) {
                for (ReduceOp op : INTEGERS.contains(type) ? concat(ARITHMETIC, BITWISE) : ARITHMETIC) {
                    for (String name : List.of("all_reduce", "reduce", "all_reduce_list")) {
                        calls.add(new GlooCall(name, type, op, calls.size() % size, count));
                    }
                }
                for (String name : List.of(
                        "broadcast",
                        "scatter",
                        "gather",
                        "all_gather",
                        "all_to_all",
                        "all_to_all_v",
                        "send_recv",
                        "send")) {
                    calls.add(new GlooCall(name, type, ReduceOp.SUM, calls.size() % size, count));
                }
            }
            calls.add(new GlooCall("barrier", type, ReduceOp.SUM, 0, 0));
        }
        for (DataType type : List.of(DataType.COMPLEX64, DataType.COMPLEX128)) {
            for (int count : COUNTS) {
                calls.add(new GlooCall("all_reduce", type, ReduceOp.SUM, 0, count));
                calls.add(new GlooCall("all_gather", type, ReduceOp.SUM, 0, count));
            }
        }
        return calls;
    }

    private static <T> List<T> concat(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** As the other side reads it. */
    String line(int size) {
        String counts = IntStream.range(0, size)
                .mapToObj(rank -> Integer.toString(inputCount(rank, size)))
                .collect(Collectors.joining(","));
        return String.join(" ", name, type.label(), op.name(), Integer.toString(root), counts);
    }

    int inputCount(int rank, int size) {
        return switch (name) {
            case "scatter", "all_to_all" -> size * count;
            case "all_to_all_v" -> (int) sum(sent(rank, size));
            default -> count;
        };
    }

    int outputCount(int rank, int size) {
        boolean isRoot = rank == root;
        return switch (name) {
            case "reduce" -> isRoot ? count : 0;
            case "gather" -> isRoot ? size * count : 0;
            case "send" -> isRoot ? 0 : count;
            case "all_gather", "all_to_all" -> size * count;
            case "all_to_all_v" -> (int) sum(received(rank, size));
            default -> count;
        };
    }

    private long[] sent(int rank, int size) {
        return IntStream.range(0, size)
                .mapToLong(to -> (long) count * ((rank + 2 * to) % 3))
                .toArray();
    }

    private long[] received(int rank, int size) {
        return IntStream.range(0, size)
                .mapToLong(from -> sent(from, size)[rank])
                .toArray();
    }

    private static long sum(long[] lengths) {
        return IntStream.range(0, lengths.length).mapToLong(i -> lengths[i]).sum();
    }

    /** Whether the order in which values are combined can show in the result. */
    boolean dependsOnOrder(int size) {
        boolean combines = name.contains("reduce") && (op == ReduceOp.SUM || op == ReduceOp.PRODUCT);
        return combines && size > 2 && !INTEGERS.contains(type);
    }

    /** Makes the call on a rank of Parex. */
    List<Work> start(ProcessGroup group, TensorView in, TensorView out) {
        CallOptions options = CallOptions.DEFAULT;
        int rank = group.rank();
        int size = group.size();
        boolean isRoot = rank == root;
        return switch (name) {
            case "send" -> messages(group, in, out);
            case "broadcast" -> List.of(group.broadcast(isRoot ? given(in, out) : out, root, options));
            case "send_recv" ->
                List.of(group.sendRecv(
                        PointToPoint.send(in, (rank + 1) % size, 7),
                        PointToPoint.recv(out, (rank + size - 1) % size, 7),
                        options));
            case "scatter" -> List.of(group.scatter(isRoot ? in : null, out, root, options));
            case "gather" -> List.of(group.gather(in, isRoot ? out : null, root, options));
            case "all_gather" -> List.of(group.allGather(in, out, options));
            case "reduce" -> List.of(group.reduce(in, isRoot ? out : null, op, root, options));
            case "all_reduce" -> List.of(group.allReduce(in, out, op, options));
            case "all_reduce_list" -> List.of(group.allReduce(thirds(in), thirds(out), op, options));
            case "all_to_all" -> List.of(group.allToAll(in, out, options));
            case "all_to_all_v" -> List.of(group.allToAllV(in, out, sent(rank, size), received(rank, size), options));
            case "barrier" -> List.of(group.barrier(options));
            default -> throw new IllegalArgumentException(name);
        };
    }

    private List<Work> messages(ProcessGroup group, TensorView in, TensorView out) {
        if (group.rank() != root) {
            return List.of(group.irecv(out, root, 9, CallOptions.DEFAULT));
        }
        return IntStream.range(0, group.size())
                .filter(rank -> rank != root)
                .mapToObj(rank -> group.isend(in, rank, 9, CallOptions.DEFAULT))
                .toList();
    }

    private static TensorView given(TensorView in, TensorView out) {
        out.segment().copyFrom(in.segment());
        return out;
    }

    private static List<TensorView> thirds(TensorView tensor) {
        long half = tensor.count() / 2;
        return List.of(tensor.slice(0, half), tensor.slice(half, 1), tensor.slice(half + 1, tensor.count() - half - 1));
    }
}
