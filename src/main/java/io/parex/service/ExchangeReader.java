package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.schedule.Primitive;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllToAllCall;
import io.parex.v1.CallHeader;
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
        if (call.hasCapacity()) {
            return openScatter(call, group, isRoot);
        }
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

    private CallPlan openScatter(ScatterCall call, ProcessGroup group, boolean isRoot) {
        Shape block = Shape.of(call.getBlock());
        if (block.count() != 0) {
            throw ParexException.argument("the block's count is " + block.count()
                    + ", and a capacity says that it is not known; leave the count at 0");
        }
        Blocks known = isRoot || call.getLengths().getCountsCount() > 0
                ? BlockLengths.all(call.getLengths(), group.size(), "lengths")
                : null;
        return open(
                Primitive.SCATTER_V,
                call.getHeader(),
                isRoot ? block.of(known) : null,
                Shape.of(block.type(), call.getCapacity()),
                (in, out, options) ->
                        Call.scatter(in, out, call.getRoot(), options).withOpenLengths(known));
    }

    /** A call whose lengths are left open. Where a block belongs in place is not known, so none lies there. */
    private CallPlan open(Primitive primitive, CallHeader header, Shape input, Shape room, CallPlan.Form form) {
        return reader.plan(primitive, header, input, room, Sharing.NONE, form);
    }

    private static void refuseKnown(boolean hasLengths, String what) {
        if (hasLengths) {
            throw ParexException.argument("the " + what + " are given, and left open by a capacity as well");
        }
    }

    CallPlan gather(Primitive primitive, GatherCall call) {
        int root = CallReader.required(call.hasRoot(), call.getRoot(), "root");
        ProcessGroup group = reader.group(call.getHeader());
        boolean isRoot = group.rank() == root;
        Shape block = Shape.of(call.getBlock());
        if (call.hasCapacity()) {
            refuseKnown(call.hasLengths(), "lengths");
            return open(
                    primitive,
                    call.getHeader(),
                    block,
                    isRoot ? Shape.of(block.type(), call.getCapacity()) : null,
                    (in, out, options) -> Call.gather(in, out, root, options).withOpenLengths(null));
        }
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
        if (call.hasCapacity()) {
            refuseKnown(call.hasLengths(), "lengths");
            return open(
                    primitive,
                    call.getHeader(),
                    block,
                    Shape.of(block.type(), call.getCapacity()),
                    (in, out, options) -> Call.allGather(in, out, options).withOpenLengths(null));
        }
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
        if (!call.hasSendLengths() || !call.hasRecvLengths() && !call.hasCapacity()) {
            throw ParexException.argument(
                    "all_to_all_v needs the lengths of what it sends, and those of what it gets or a capacity");
        }
        Blocks sent = BlockLengths.all(call.getSendLengths(), group.size(), "lengths to send");
        if (call.hasCapacity()) {
            refuseKnown(call.hasRecvLengths(), "lengths to receive");
            return open(
                    primitive,
                    call.getHeader(),
                    input,
                    Shape.of(input.type(), call.getCapacity()),
                    (in, out, options) -> Call.allToAll(in, out, options).withOpenLengths(sent));
        }
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
