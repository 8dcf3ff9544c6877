package io.parex.client;

import io.parex.tensor.ReduceOp;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllReduceCall;
import io.parex.v1.AllToAllCall;
import io.parex.v1.BarrierCall;
import io.parex.v1.BroadcastCall;
import io.parex.v1.CallHeader;
import io.parex.v1.GatherCall;
import io.parex.v1.Lengths;
import io.parex.v1.Operation;
import io.parex.v1.ReduceCall;
import io.parex.v1.ReduceScatterCall;
import io.parex.v1.ScatterCall;
import io.parex.v1.Tensor;
import java.util.Arrays;

/** The messages of collective calls. Lengths of blocks are null in the plain forms. */
final class CollectiveCalls {
    private CollectiveCalls() {}

    /**
     * How values are combined.
     *
     * @param factor null where the reduction takes none
     */
    record Combining(ReduceOp op, Double factor) {
        io.parex.v1.ReduceOp message() {
            return io.parex.v1.ReduceOp.forNumber(op.code());
        }
    }

    static Operation.Builder barrier(CallHeader header) {
        return Operation.newBuilder().setBarrier(BarrierCall.newBuilder().setHeader(header));
    }

    static Operation.Builder broadcast(CallHeader header, Memory tensor, int root) {
        return Operation.newBuilder()
                .setBroadcast(BroadcastCall.newBuilder()
                        .setHeader(header)
                        .setTensor(tensor(tensor))
                        .setRoot(root));
    }

    static Operation.Builder scatter(CallHeader header, Memory block, int root, long[] lengths) {
        ScatterCall.Builder call = ScatterCall.newBuilder()
                .setHeader(header)
                .setBlock(tensor(block))
                .setRoot(root);
        if (lengths != null) {
            call.setLengths(lengths(lengths));
        }
        return Operation.newBuilder().setScatter(call);
    }

    /** With lengths left open: the block's length, up to {@code room}, is what the root says. */
    static Operation.Builder scatterOpen(CallHeader header, Memory room, int root, long[] lengths) {
        ScatterCall.Builder call = ScatterCall.newBuilder()
                .setHeader(header)
                .setBlock(Calls.tensor(room.type(), 0))
                .setRoot(root)
                .setCapacity(room.count());
        if (lengths != null) {
            call.setLengths(lengths(lengths));
        }
        return Operation.newBuilder().setScatter(call);
    }

    static Operation.Builder gather(CallHeader header, Memory block, int root, long[] lengths) {
        GatherCall.Builder call = GatherCall.newBuilder()
                .setHeader(header)
                .setBlock(tensor(block))
                .setRoot(root);
        if (lengths != null) {
            call.setLengths(lengths(lengths));
        }
        return Operation.newBuilder().setGather(call);
    }

    /** With lengths left open; only the root has {@code room}. */
    static Operation.Builder gatherOpen(CallHeader header, Memory block, int root, Memory room) {
        return Operation.newBuilder()
                .setGather(GatherCall.newBuilder()
                        .setHeader(header)
                        .setBlock(tensor(block))
                        .setRoot(root)
                        .setCapacity(room == null ? 0 : room.count()));
    }

    static Operation.Builder allGather(CallHeader header, Memory block, long[] lengths) {
        AllGatherCall.Builder call =
                AllGatherCall.newBuilder().setHeader(header).setBlock(tensor(block));
        if (lengths != null) {
            call.setLengths(lengths(lengths));
        }
        return Operation.newBuilder().setAllGather(call);
    }

    /** With lengths left open. */
    static Operation.Builder allGatherOpen(CallHeader header, Memory block, Memory room) {
        return Operation.newBuilder()
                .setAllGather(AllGatherCall.newBuilder()
                        .setHeader(header)
                        .setBlock(tensor(block))
                        .setCapacity(room.count()));
    }

    static Operation.Builder reduce(CallHeader header, Memory tensor, Combining by, int root) {
        ReduceCall.Builder call = ReduceCall.newBuilder()
                .setHeader(header)
                .setTensor(tensor(tensor))
                .setOp(by.message())
                .setRoot(root);
        if (by.factor() != null) {
            call.setFactor(by.factor());
        }
        return Operation.newBuilder().setReduce(call);
    }

    static Operation.Builder allReduce(CallHeader header, Memory tensor, Combining by) {
        AllReduceCall.Builder call = AllReduceCall.newBuilder()
                .setHeader(header)
                .setTensor(tensor(tensor))
                .setOp(by.message());
        if (by.factor() != null) {
            call.setFactor(by.factor());
        }
        return Operation.newBuilder().setAllReduce(call);
    }

    static Operation.Builder reduceScatter(CallHeader header, Memory block, Combining by, long[] lengths) {
        ReduceScatterCall.Builder call = ReduceScatterCall.newBuilder()
                .setHeader(header)
                .setBlock(tensor(block))
                .setOp(by.message());
        if (by.factor() != null) {
            call.setFactor(by.factor());
        }
        if (lengths != null) {
            call.setLengths(lengths(lengths));
        }
        return Operation.newBuilder().setReduceScatter(call);
    }

    static Operation.Builder allToAll(CallHeader header, Memory input, long[] sent, long[] received) {
        AllToAllCall.Builder call = AllToAllCall.newBuilder().setHeader(header).setTensor(tensor(input));
        if (sent != null) {
            call.setSendLengths(lengths(sent)).setRecvLengths(lengths(received));
        }
        return Operation.newBuilder().setAllToAll(call);
    }

    /** With lengths left open. */
    static Operation.Builder allToAllOpen(CallHeader header, Memory input, long[] sent, Memory room) {
        return Operation.newBuilder()
                .setAllToAll(AllToAllCall.newBuilder()
                        .setHeader(header)
                        .setTensor(tensor(input))
                        .setSendLengths(lengths(sent))
                        .setCapacity(room.count()));
    }

    private static Tensor tensor(Memory memory) {
        return Calls.tensor(memory.type(), memory.count());
    }

    private static Lengths lengths(long[] lengths) {
        return Lengths.newBuilder()
                .addAllCounts(Arrays.stream(lengths).boxed().toList())
                .build();
    }
}
