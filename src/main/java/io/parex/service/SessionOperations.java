package io.parex.service;

import com.google.protobuf.ByteString;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.Result;
import io.parex.v1.Submit;
import io.parex.world.Completion;
import io.parex.world.ProcessGroup;
import io.parex.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The operations of one session, by their ids. In the session's mailbox. */
final class SessionOperations {
    private final Edge edge;
    private final World world;
    private final CallReader reader;
    private final CallLabel label;
    private final Party party;
    private final Mailbox mailbox;
    private final SessionWriter writer;
    private final Runnable whenEmpty;
    private final OutputRotation rotation;
    private final Map<Long, Operation> running = new HashMap<>();
    private final Map<ProcessGroup, Line> lines = new HashMap<>();
    private final Map<Long, Result> ended = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Result> eldest) {
            return size() > EdgeLimits.RESULTS_REMEMBERED;
        }
    };
    private SharedSegments segments;
    private long highestId;
    private boolean called;
    private ProcessGroup collectiveOn;

    /** The client's calls on a group until the group is recovered: then they are in line anew. */
    private record Line(CallOrder order, Refusals refusals) {}

    /**
     * The operations of {@code party}, a client of the rank of {@code world}; {@code whenEmpty} runs when the last one
     * has ended.
     */
    SessionOperations(Edge edge, World world, Party party, Mailbox mailbox, SessionWriter writer, Runnable whenEmpty) {
        this.edge = edge;
        this.world = world;
        this.reader = CallReader.of(edge.ranks(), world.rank());
        this.label = CallLabel.NONE.on(world.rank());
        this.party = party;
        this.mailbox = mailbox;
        this.writer = writer;
        this.whenEmpty = whenEmpty;
        this.rotation = new OutputRotation(writer::isReady);
    }

    /** From now on operations may have their tensors in {@code shared}. */
    void share(SharedSegments shared) {
        segments = shared;
    }

    boolean isEmpty() {
        return running.isEmpty();
    }

    /** Whether the client has ever made a call. */
    boolean hadCall() {
        return called;
    }

    /** Whether the client has ever made a collective call. */
    boolean hadCollective() {
        return collectiveOn != null;
    }

    /** Whether it was the last time before the group was recovered. */
    boolean isCollectiveOver() {
        return collectiveOn != null && collectiveOn.isOver();
    }

    private Line line(ProcessGroup group) {
        lines.keySet().removeIf(ProcessGroup::isOver);
        return lines.computeIfAbsent(group, key -> new Line(new CallOrder(party), new Refusals()));
    }

    /** Starts an operation or a batch; one that is refused is answered with its result. */
    void submit(Submit message) {
        // Loops: this runs for every call, on the owner loop, and a JVM that has just started takes long for a stream.
        List<io.parex.v1.Operation> fresh = new ArrayList<>(message.getOperationsCount());
        for (io.parex.v1.Operation operation : message.getOperationsList()) {
            if (isFresh(operation)) {
                fresh.add(operation);
            }
        }
        if (fresh.isEmpty()) {
            return;
        }
        List<Operation> opened = new ArrayList<>(fresh.size());
        // A batch is of one group, or is refused.
        Optional<ProcessGroup> present =
                CallReader.named(world, fresh.getFirst()).map(ProcessGroup::present);
        try {
            if (running.size() + fresh.size() > edge.limits().operations()) {
                throw new ParexException(
                        ErrorKind.OVERLOADED,
                        running.size() + " operations of " + party + " are in flight, "
                                + edge.limits().operations() + " may be; nothing was started");
            }
            present.ifPresent(group -> line(group).refusals().check(message));
            List<CallPlan> plans = new ArrayList<>(fresh.size());
            for (io.parex.v1.Operation operation : fresh) {
                plans.add(reader.plan(operation));
            }
            requireBatch(plans);
            for (int i = 0; i < plans.size(); i++) {
                opened.add(open(fresh.get(i), plans.get(i)));
            }
            CallPlan first = plans.getFirst();
            called = true;
            if (first.isCollective()) {
                collectiveOn = first.group();
            }
            line(first.group()).order().submit(first.header(), new Launch(edge, party, opened)::run);
        } catch (ParexException e) {
            present.ifPresent(group -> refused(group, fresh));
            ParexException refusal = e.asRefused();
            opened.forEach(operation -> operation.fail(refusal));
            fresh.stream()
                    .filter(each -> !ended.containsKey(each.getOperationId()))
                    .forEach(each -> fail(each.getOperationId(), label, refusal));
        }
    }

    private void refused(ProcessGroup group, List<io.parex.v1.Operation> operations) {
        operations.stream()
                .filter(each -> Refusals.isCollective(each) && !CallReader.isOutdated(each, group))
                .forEach(each -> line(group).refusals().add(each.getOperationId()));
    }

    /** False for a repetition, which starts nothing. If the operation has ended, the result is sent again. */
    private boolean isFresh(io.parex.v1.Operation operation) {
        long id = operation.getOperationId();
        if (id > highestId) {
            highestId = id;
            return true;
        }
        Result known = ended.get(id);
        if (known != null) {
            writer.result(known);
        }
        return false;
    }

    private static void requireBatch(List<CallPlan> plans) {
        if (plans.size() > 1) {
            plans.stream().filter(CallPlan::isCollective).findAny().ifPresent(plan -> {
                throw ParexException.argument(
                        "a batch of " + plans.size() + " operations takes sends and receives only, not "
                                + plan.primitive().label() + "; nothing was started");
            });
            ProcessGroup group = plans.getFirst().group();
            plans.stream().filter(plan -> plan.group() != group).findAny().ifPresent(plan -> {
                throw ParexException.argument("a batch of " + plans.size() + " operations is of one group, not of "
                        + group.name() + " and " + plan.group().name() + "; nothing was started");
            });
        }
    }

    private Operation open(io.parex.v1.Operation message, CallPlan plan) {
        long id = message.getOperationId();
        Operation operation =
                new Operation(plan, edge, new SessionOutlet(id, plan), mailbox, new SharedTensors(segments, message));
        running.put(id, operation);
        if (message.hasOutputCreditBytes()) {
            operation.credit(message.getOutputCreditBytes());
        }
        return operation;
    }

    /** A chunk for an operation that has ended is late, not wrong. */
    void chunk(long id, ByteString data) {
        Operation operation = running.get(id);
        if (operation != null) {
            operation.chunk(data);
        } else if (id > highestId) {
            highestId = id;
            fail(
                    id,
                    label,
                    new ParexException(
                            ErrorKind.PROTOCOL,
                            "a chunk came for operation " + id
                                    + ", which was never submitted; the session and its other operations go on"));
        }
    }

    void credit(long id, long limit) {
        Operation operation = running.get(id);
        if (operation != null) {
            operation.credit(limit);
        }
    }

    void cancel(long id, String reason) {
        Operation operation = running.get(id);
        if (operation != null) {
            operation.cancel(
                    reason.isEmpty()
                            ? "by the client of rank " + operation.plan().rank()
                            : reason);
        }
    }

    void cancelAll(String reason) {
        List.copyOf(running.values()).forEach(operation -> operation.cancel(reason));
    }

    /** The client sends nothing more: operations that still need input fail. */
    void inputEnded() {
        List.copyOf(running.values()).forEach(Operation::inputEnded);
    }

    void tick(long nowNanos) {
        List.copyOf(running.values()).forEach(operation -> operation.tick(nowNanos));
    }

    /** The stream takes more. */
    void pump() {
        rotation.pump();
    }

    private void fail(long id, CallLabel call, ParexException failure) {
        end(Result.newBuilder().setOperationId(id).setError(call.error(failure)).build());
    }

    private void end(Result result) {
        running.remove(result.getOperationId());
        ended.put(result.getOperationId(), result);
        writer.result(result);
        if (running.isEmpty()) {
            whenEmpty.run();
        }
    }

    /** An operation's way to its client. */
    private final class SessionOutlet implements Outlet {
        private final long id;
        private final CallPlan plan;

        SessionOutlet(long id, CallPlan plan) {
            this.id = id;
            this.plan = plan;
        }

        @Override
        public void outputReady(Operation operation) {
            rotation.add(operation);
        }

        @Override
        public void chunk(ByteString data) {
            writer.chunk(id, data);
        }

        @Override
        public void inputRoom(long limit) {
            writer.credit(id, limit);
        }

        @Override
        public void completed(Completion completion) {
            end(Result.newBuilder()
                    .setOperationId(id)
                    .setCompleted(Completions.message(completion))
                    .build());
        }

        @Override
        public void failed(ParexException failure) {
            // A call with a number keeps its place: those after it wait for it.
            if (plan.isCollective()
                    && !plan.header().hasCallNumber()
                    && !running.get(id).wasSubmitted()) {
                line(plan.group()).refusals().add(id);
            }
            fail(id, plan.label(), failure);
        }
    }
}
