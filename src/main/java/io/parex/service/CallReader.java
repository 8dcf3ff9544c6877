package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.v1.AllGatherCall;
import io.parex.v1.AllReduceCall;
import io.parex.v1.AllToAllCall;
import io.parex.v1.BarrierCall;
import io.parex.v1.BroadcastCall;
import io.parex.v1.CallHeader;
import io.parex.v1.GatherCall;
import io.parex.v1.Operation;
import io.parex.v1.RecvCall;
import io.parex.v1.ReduceCall;
import io.parex.v1.ReduceScatterCall;
import io.parex.v1.ScatterCall;
import io.parex.v1.SendCall;
import io.parex.v1.SendRecvCall;
import io.parex.world.Call;
import io.parex.world.CallOptions;
import io.parex.world.ProcessGroup;
import io.parex.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Reads the messages of calls. One is made for each stream; a header without a rank means the stream's. Refusals are
 * {@link ParexException}s; ranks, roots, tags and algorithms are checked by the group when the call is submitted.
 */
final class CallReader {
    /** More than thirty years; safe to count in nanoseconds. */
    private static final long MAX_TIMEOUT_SECONDS = 1_000_000_000L;

    /** Groups of a rank that a text lists. */
    private static final int GROUPS_NAMED = 16;

    private final HostedRanks ranks;
    private final OptionalInt rank;
    private final ReductionReader reductions = new ReductionReader(this);
    private final ExchangeReader exchanges = new ExchangeReader(this);

    /** Reads calls on any of {@code ranks}. */
    CallReader(HostedRanks ranks) {
        this(ranks, OptionalInt.empty());
    }

    private CallReader(HostedRanks ranks, OptionalInt rank) {
        this.ranks = ranks;
        this.rank = rank;
    }

    /** Reads calls on {@code rank} only. */
    static CallReader of(HostedRanks ranks, int rank) {
        return new CallReader(ranks, OptionalInt.of(rank));
    }

    /** Reads an operation of a session. */
    CallPlan plan(Operation operation) {
        return switch (operation.getCallCase()) {
            case SEND -> send(operation.getSend());
            case RECV -> recv(operation.getRecv());
            case SEND_RECV -> sendRecv(operation.getSendRecv());
            case BARRIER -> barrier(operation.getBarrier());
            case BROADCAST -> broadcast(operation.getBroadcast());
            case ALL_REDUCE -> allReduce(operation.getAllReduce());
            case SCATTER -> scatter(operation.getScatter());
            case GATHER -> gather(operation.getGather());
            case ALL_GATHER -> allGather(operation.getAllGather());
            case REDUCE -> reduce(operation.getReduce());
            case REDUCE_SCATTER -> reduceScatter(operation.getReduceScatter());
            case ALL_TO_ALL -> allToAll(operation.getAllToAll());
            case CALL_NOT_SET ->
                throw new ParexException(
                        ErrorKind.UNSUPPORTED,
                        "operation " + operation.getOperationId() + " is of a kind that this server does not know");
        };
    }

    CallPlan send(SendCall call) {
        int destination = required(call.hasDestination(), call.getDestination(), "destination");
        Shape tensor = Shape.of(call.getTensor());
        return plan(
                Primitive.ISEND,
                call.getHeader(),
                tensor,
                null,
                (in, out, options) -> Call.send(in, destination, call.getTag(), options));
    }

    CallPlan recv(RecvCall call) {
        int source = call.hasSource() ? call.getSource() : ProcessGroup.ANY_SOURCE;
        int tag = call.hasTag() ? call.getTag() : ProcessGroup.ANY_TAG;
        Shape tensor = Shape.of(call.getTensor());
        return plan(
                Primitive.IRECV,
                call.getHeader(),
                null,
                tensor,
                (in, out, options) -> Call.recv(out, source, tag, options));
    }

    CallPlan sendRecv(SendRecvCall call) {
        int destination = required(call.hasDestination(), call.getDestination(), "destination");
        int source = call.hasSource() ? call.getSource() : ProcessGroup.ANY_SOURCE;
        int recvTag = call.hasRecvTag() ? call.getRecvTag() : ProcessGroup.ANY_TAG;
        Shape send = Shape.of(call.getSend());
        Shape recv = Shape.of(call.getRecv());
        return plan(
                Primitive.SEND_RECV,
                call.getHeader(),
                send,
                recv,
                (in, out, options) -> Call.sendRecv(
                        Call.send(in, destination, call.getSendTag(), options),
                        Call.recv(out, source, recvTag, options)));
    }

    CallPlan barrier(BarrierCall call) {
        return collective(Primitive.BARRIER, call.getHeader(), () -> readBarrier(call));
    }

    CallPlan broadcast(BroadcastCall call) {
        return collective(Primitive.BROADCAST, call.getHeader(), () -> readBroadcast(call));
    }

    CallPlan allReduce(AllReduceCall call) {
        return collective(Primitive.ALL_REDUCE, call.getHeader(), () -> reductions.allReduce(call));
    }

    CallPlan reduce(ReduceCall call) {
        return collective(Primitive.REDUCE, call.getHeader(), () -> reductions.reduce(call));
    }

    CallPlan reduceScatter(ReduceScatterCall call) {
        Primitive primitive = form(Primitive.REDUCE_SCATTER, call.hasLengths());
        return collective(primitive, call.getHeader(), () -> reductions.reduceScatter(primitive, call));
    }

    CallPlan scatter(ScatterCall call) {
        Primitive primitive = form(Primitive.SCATTER, call.hasLengths() || call.hasCapacity());
        return collective(primitive, call.getHeader(), () -> exchanges.scatter(primitive, call));
    }

    CallPlan gather(GatherCall call) {
        Primitive primitive = form(Primitive.GATHER, call.hasLengths() || call.hasCapacity());
        return collective(primitive, call.getHeader(), () -> exchanges.gather(primitive, call));
    }

    CallPlan allGather(AllGatherCall call) {
        Primitive primitive = form(Primitive.ALL_GATHER, call.hasLengths() || call.hasCapacity());
        return collective(primitive, call.getHeader(), () -> exchanges.allGather(primitive, call));
    }

    CallPlan allToAll(AllToAllCall call) {
        Primitive primitive =
                form(Primitive.ALL_TO_ALL, call.hasSendLengths() || call.hasRecvLengths() || call.hasCapacity());
        return collective(primitive, call.getHeader(), () -> exchanges.allToAll(primitive, call));
    }

    private static Primitive form(Primitive plain, boolean isV) {
        return isV ? plain.vForm() : plain;
    }

    /**
     * The other members call or have called: a collective that cannot be meant must not be refused here alone, or they
     * would wait for it, and be one call ahead from then on. On which group it would be is known, or it is refused.
     */
    private CallPlan collective(Primitive primitive, CallHeader header, Supplier<CallPlan> read) {
        ProcessGroup group = present(header);
        try {
            return read.get();
        } catch (ParexException e) {
            return CallPlan.wrong(group, primitive, header, e);
        }
    }

    private CallPlan readBarrier(BarrierCall call) {
        return plan(Primitive.BARRIER, call.getHeader(), null, null, (in, out, options) -> Call.barrier(options));
    }

    private CallPlan readBroadcast(BroadcastCall call) {
        int root = required(call.hasRoot(), call.getRoot(), "root");
        Shape tensor = Shape.of(call.getTensor());
        boolean isRoot = group(call.getHeader()).rank() == root;
        return plan(
                Primitive.BROADCAST,
                call.getHeader(),
                isRoot ? tensor : null,
                isRoot ? null : tensor,
                (in, out, options) -> Call.broadcast(isRoot ? in : out, root, isRoot, options));
    }

    private CallPlan plan(Primitive primitive, CallHeader header, Shape input, Shape output, CallPlan.Form form) {
        return plan(primitive, header, input, output, Sharing.NONE, form);
    }

    CallPlan plan(
            Primitive primitive, CallHeader header, Shape input, Shape output, Sharing sharing, CallPlan.Form form) {
        return new CallPlan(present(header), primitive, header, input, output, sharing, options(header), form, null);
    }

    /** Whether an operation is meant for another epoch or round of {@code group} than the present one. */
    static boolean isOutdated(Operation operation, ProcessGroup group) {
        return outdated(header(operation), group) != null;
    }

    private static CallHeader header(Operation operation) {
        return switch (operation.getCallCase()) {
            case SEND -> operation.getSend().getHeader();
            case RECV -> operation.getRecv().getHeader();
            case SEND_RECV -> operation.getSendRecv().getHeader();
            case BARRIER -> operation.getBarrier().getHeader();
            case BROADCAST -> operation.getBroadcast().getHeader();
            case ALL_REDUCE -> operation.getAllReduce().getHeader();
            case SCATTER -> operation.getScatter().getHeader();
            case GATHER -> operation.getGather().getHeader();
            case ALL_GATHER -> operation.getAllGather().getHeader();
            case REDUCE -> operation.getReduce().getHeader();
            case REDUCE_SCATTER -> operation.getReduceScatter().getHeader();
            case ALL_TO_ALL -> operation.getAllToAll().getHeader();
            case CALL_NOT_SET -> CallHeader.getDefaultInstance();
        };
    }

    /** The group of a call, up to its next recovery. */
    private ProcessGroup present(CallHeader header) {
        ProcessGroup present = group(header).present();
        ParexException refusal = outdated(header, present);
        if (refusal != null) {
            throw refusal;
        }
        return present;
    }

    private static ParexException outdated(CallHeader header, ProcessGroup group) {
        // A rank that does not know all others yet is in no epoch, and says so when the call is submitted.
        if (header.hasEpoch() && !group.isEpoch(header.getEpoch()) && group.epoch() != 0) {
            return outdated(group, "epoch " + header.getEpoch() + ", and now is epoch " + group.epoch());
        }
        if (header.hasRound() && !group.isRound(header.getRound())) {
            return outdated(group, "round " + header.getRound() + ", and now is round " + group.round());
        }
        return null;
    }

    private static ParexException outdated(ProcessGroup group, String what) {
        return ParexException.refused(
                ErrorKind.ABORTED,
                "rank " + group.rank() + ": the call is meant for group " + group.name() + " in " + what
                        + "; nothing was started, call recover on every member, or open another session if that was"
                        + " done, then decide from where to go on");
    }

    /** The group that a header names. */
    ProcessGroup group(CallHeader header) {
        World world = world(header);
        return named(world, header.getGroup())
                .orElseThrow(() -> ParexException.argument("there is no group '" + header.getGroup() + "' on rank "
                        + world.rank() + "; its groups: " + names(world)));
    }

    private static String names(World world) {
        List<String> names =
                world.groups().stream().map(ProcessGroup::name).sorted().toList();
        return names.stream().limit(GROUPS_NAMED).collect(Collectors.joining(", "))
                + (names.size() > GROUPS_NAMED ? ", ... " + names.size() + " in all" : "");
    }

    private static Optional<ProcessGroup> named(World world, String name) {
        return name.isEmpty() ? Optional.of(world.group()) : world.group(name);
    }

    /** The group of {@code world} that an operation names; empty if there is none. */
    static Optional<ProcessGroup> named(World world, Operation operation) {
        return named(world, header(operation).getGroup());
    }

    private World world(CallHeader header) {
        if (rank.isEmpty()) {
            return ranks.world(header.hasRank() ? OptionalInt.of(header.getRank()) : rank);
        }
        if (header.hasRank() && header.getRank() != rank.getAsInt()) {
            throw ParexException.argument("the header names rank " + header.getRank() + " on a session of rank "
                    + rank.getAsInt() + "; a session is for one rank");
        }
        return ranks.world(rank);
    }

    static CallOptions options(CallHeader header) {
        String algorithm = header.getAlgorithm().isEmpty() ? null : header.getAlgorithm();
        return new CallOptions(
                header.hasTimeout() ? timeout(header) : null, algorithm, header.getName(), header.getDeterministic());
    }

    private static Duration timeout(CallHeader header) {
        long seconds = header.getTimeout().getSeconds();
        if (Math.abs(seconds) <= MAX_TIMEOUT_SECONDS) {
            Duration timeout = Duration.ofSeconds(seconds, header.getTimeout().getNanos());
            if (timeout.isPositive()) {
                return timeout;
            }
        }
        throw ParexException.argument(
                "a timeout of " + seconds + " s is not positive, or longer than " + MAX_TIMEOUT_SECONDS + " s");
    }

    static int required(boolean given, int value, String field) {
        if (!given) {
            throw ParexException.argument("the call's " + field + " is missing");
        }
        return value;
    }
}
