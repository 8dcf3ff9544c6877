package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.schedule.Primitive;
import io.parex.tensor.ReduceOp;
import io.parex.v1.AllReduceCall;
import io.parex.v1.ReduceCall;
import io.parex.v1.ReduceScatterCall;
import io.parex.world.Call;
import io.parex.world.ProcessGroup;

/** Reads the messages of collectives that combine values. */
final class ReductionReader {
    private final CallReader reader;

    ReductionReader(CallReader reader) {
        this.reader = reader;
    }

    CallPlan allReduce(AllReduceCall call) {
        Shape tensor = Shape.of(call.getTensor());
        ReduceOp op = ProtoTypes.op(call.getOp());
        Double factor = factor(op, call.hasFactor(), call.getFactor());
        return reader.plan(
                Primitive.ALL_REDUCE,
                call.getHeader(),
                tensor,
                tensor,
                Sharing.of(Primitive.ALL_REDUCE, false, 0),
                (in, out, options) -> Call.allReduce(in, out, op, factor, options));
    }

    CallPlan reduce(ReduceCall call) {
        int root = CallReader.required(call.hasRoot(), call.getRoot(), "root");
        Shape tensor = Shape.of(call.getTensor());
        ReduceOp op = ProtoTypes.op(call.getOp());
        Double factor = factor(op, call.hasFactor(), call.getFactor());
        boolean isRoot = reader.group(call.getHeader()).rank() == root;
        return reader.plan(
                Primitive.REDUCE,
                call.getHeader(),
                tensor,
                isRoot ? tensor : null,
                Sharing.of(Primitive.REDUCE, isRoot, 0),
                (in, out, options) -> Call.reduce(in, out, op, factor, root, options));
    }

    CallPlan reduceScatter(Primitive primitive, ReduceScatterCall call) {
        ProcessGroup group = reader.group(call.getHeader());
        Shape block = Shape.of(call.getBlock());
        ReduceOp op = ProtoTypes.op(call.getOp());
        Double factor = factor(op, call.hasFactor(), call.getFactor());
        Blocks blocks = call.hasLengths()
                ? BlockLengths.all(call.getLengths(), group.size(), "lengths")
                : block.times(group.size());
        return reader.plan(
                primitive,
                call.getHeader(),
                block.of(blocks),
                block,
                Sharing.of(
                        primitive,
                        false,
                        blocks.offset(group.rank()) * block.type().bytes()),
                (in, out, options) -> {
                    Call plain = Call.reduceScatter(in, out, op, factor, options);
                    return primitive.isV() ? plain.withBlocks(blocks) : plain;
                });
    }

    /** Null for a reduction that takes none. */
    private static Double factor(ReduceOp op, boolean given, double value) {
        if (given != (op == ReduceOp.PREMUL_SUM)) {
            throw ParexException.argument(
                    op.label() + (given ? " takes no factor, and one is given" : " needs a factor, and none is given"));
        }
        return given ? Double.valueOf(value) : null;
    }
}
