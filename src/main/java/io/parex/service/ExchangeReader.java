package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.schedule.Primitive;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllToAllCall;
import io.parex.v1.GatherCall;
import io.parex.v1.Lengths;
import io.parex.v1.ScatterCall;
import io.parex.world.Call;
import io.parex.world.ProcessGroup;

/** Reads the messages of collectives that move blocks as they are. */
final class ExchangeReader {
    private final CallReader reader;

    ExchangeReader(CallReader reader) {
        this.reader = reader;
    }

    CallPlan scatter(Primitive primitive, ScatterCall call) {
        int root = CallReader.required(call.hasRoot(), call.getRoot(), "root");
        ProcessGroup group = reader.group(call.getHeader());
        boolean isRoot = group.rank() == root;
        Shape block = Shape.of(call.getBlock());
        Blocks blocks =
                call.hasLengths() ? rooted(call.getLengths(), group, isRoot, block.count()) : block.times(group.size());
        return reader.plan(
                primitive,
                call.getHeader(),
                isRoot ? block.of(blocks) : null,
                block,
                Sharing.of(primitive, isRoot, blockAt(group, blocks, block)),
                (in, out, options) -> form(primitive, Call.scatter(in, out, root, options), blocks));
    }

    CallPlan gather(Primitive primitive, GatherCall call) {
        int root = CallReader.required(call.hasRoot(), call.getRoot(), "root");
        ProcessGroup group = reader.group(call.getHeader());
        boolean isRoot = group.rank() == root;
        Shape block = Shape.of(call.getBlock());
        Blocks blocks =
                call.hasLengths() ? rooted(call.getLengths(), group, isRoot, block.count()) : block.times(group.size());
        return reader.plan(
                primitive,
                call.getHeader(),
                block,
                isRoot ? block.of(blocks) : null,
                Sharing.of(primitive, isRoot, blockAt(group, blocks, block)),
                (in, out, options) -> form(primitive, Call.gather(in, out, root, options), blocks));
    }

    CallPlan allGather(Primitive primitive, AllGatherCall call) {
        ProcessGroup group = reader.group(call.getHeader());
        Shape block = Shape.of(call.getBlock());
        Blocks blocks = call.hasLengths()
                ? BlockLengths.all(call.getLengths(), group.size(), "lengths")
                : block.times(group.size());
        return reader.plan(
                primitive,
                call.getHeader(),
                block,
                block.of(blocks),
                Sharing.of(primitive, false, blockAt(group, blocks, block)),
                (in, out, options) -> form(primitive, Call.allGather(in, out, options), blocks));
    }

    CallPlan allToAll(Primitive primitive, AllToAllCall call) {
        ProcessGroup group = reader.group(call.getHeader());
        Shape input = Shape.of(call.getTensor());
        if (!primitive.isV()) {
            return reader.plan(
                    primitive,
                    call.getHeader(),
                    input,
                    input,
                    Sharing.NONE,
                    (in, out, options) -> Call.allToAll(in, out, options));
        }
        if (!call.hasSendLengths() || !call.hasRecvLengths()) {
            throw ParexException.argument("all_to_all_v needs the lengths of what it sends and of what it gets");
        }
        Blocks sent = BlockLengths.all(call.getSendLengths(), group.size(), "lengths to send");
        Blocks received = BlockLengths.all(call.getRecvLengths(), group.size(), "lengths to receive");
        return reader.plan(
                primitive,
                call.getHeader(),
                input,
                input.of(received),
                Sharing.NONE,
                (in, out, options) -> Call.allToAll(in, out, options).withBlocks(sent, received));
    }

    /** The blocks of a rooted V form: the root has to know all, others their own. */
    private static Blocks rooted(Lengths lengths, ProcessGroup group, boolean isRoot, long count) {
        return isRoot
                ? BlockLengths.all(lengths, group.size(), "lengths")
                : BlockLengths.own(lengths, group.size(), group.rank(), count);
    }

    private static long blockAt(ProcessGroup group, Blocks blocks, Shape block) {
        return blocks.offset(group.rank()) * block.type().bytes();
    }

    private static Call form(Primitive primitive, Call plain, Blocks blocks) {
        return primitive.isV() ? plain.withBlocks(blocks) : plain;
    }
}
