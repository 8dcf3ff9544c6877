package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.schedule.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * One collective call on one rank, from its number to its end. It has ended for the caller when all steps are done, or,
 * after a failure, when every peer has returned what was lent. Where lengths are open, the ranks tell each other these
 * first; what comes of the call proper before that is done here is held. Owner loop only.
 */
final class CollectiveCall implements Operation {
    private record Held(Runnable use, Runnable drop) {}

    private final GroupCore group;
    private final long number;
    private final Submission submission;
    private final Plan plan;
    private final boolean[] heard;
    private final boolean[] taken;
    private final Inquiry inquiry;
    private final List<Held> held = new ArrayList<>();
    private LengthsExchange exchange;
    private Stage lengths;
    private Stage proper;
    private Problem problem;
    private Failure failure;
    private boolean ended;
    private long lastPeerNanos;

    CollectiveCall(GroupCore group, long number, Submission submission) {
        this.group = group;
        this.number = number;
        this.submission = submission;
        this.plan = submission.plan();
        this.heard = new boolean[group.size()];
        this.taken = new boolean[group.size()];
        this.inquiry = new Inquiry(this, group, submission.deadlineNanos());
    }

    GroupCore group() {
        return group;
    }

    long number() {
        return number;
    }

    Descriptor descriptor() {
        return plan.descriptor();
    }

    Submission submission() {
        return submission;
    }

    Search search() {
        return inquiry.search();
    }

    private Call call() {
        return submission.call();
    }

    /** Takes memory and begins; a lack of memory fails the call on all members. */
    void start() {
        Stage first;
        try {
            first = call().open() ? exchangeLengths() : begin(call(), plan.problem());
        } catch (ParexException e) {
            group.failed(number, new Failure(e.kind(), group.rank(), e.getMessage()));
            return;
        }
        inquiry.start();
        first.start();
    }

    private Stage exchangeLengths() {
        exchange = new LengthsExchange(
                call(), group.rank(), group.size(), group.core().pool());
        lengths = new Stage(
                this,
                Stage.LENGTHS,
                exchange.schedule(group.core().selector(), group.core().schedules()),
                exchange.input(),
                exchange.output(),
                null,
                this::lengthsKnown);
        return lengths;
    }

    private void lengthsKnown() {
        try {
            Call known = exchange.known();
            begin(known, new CollectiveCheck(group.rank(), group.size()).problem(known));
        } catch (ParexException e) {
            group.failed(number, new Failure(e.kind(), group.rank(), e.getMessage()));
            return;
        }
        proper.start();
        List<Held> frames = List.copyOf(held);
        held.clear();
        frames.forEach(frame -> (failure == null ? frame.use() : frame.drop()).run());
    }

    private Stage begin(Call known, Problem toSolve) {
        problem = toSolve;
        Reducing reducing =
                known.op() == null ? null : new CollectiveCheck(group.rank(), group.size()).reduction(known);
        proper = new Stage(
                this,
                0,
                group.core().schedules().get(plan.algorithm(), problem),
                known.input(),
                known.output(),
                reducing,
                this::completed);
        return proper;
    }

    /** A peer has announced a transfer of this call; its descriptor was compared and is equal. */
    void attach(int peer, Frame.Open open, InTransfer transfer) {
        heardOf(peer);
        if (failure != null) {
            transfer.drop();
        } else if (stage(open.ordinal()) == null) {
            held.add(new Held(() -> attach(peer, open, transfer), transfer::drop));
        } else if (isTaken(peer, open.ordinal(), transfer)) {
            if (!descriptor().primitive().synchronising() && !transfer.waitsForGrant() || isPairwise()) {
                group.send(peer, new Frame.Opened(group.id(), number));
            }
        } else {
            transfer.drop();
        }
    }

    private boolean isTaken(int peer, int ordinal, InTransfer transfer) {
        try {
            boolean expected = stage(ordinal).attach(peer, ordinal, transfer);
            if (!expected) {
                fail(ErrorKind.PROTOCOL, "rank " + peer + " sends what no step of rank " + group.rank() + " takes");
            }
            return expected;
        } catch (LengthsDiffer e) {
            fail(ErrorKind.MISMATCH, e.words(group.rank(), peer, elements(ordinal)));
            return false;
        }
    }

    /** A peer takes the first {@code bytes} bytes of a transfer, so it has made this call. */
    void granted(int peer, int ordinal, long bytes) {
        heardOf(peer);
        if (failure != null) {
            return;
        }
        if (stage(ordinal) == null) {
            held.add(new Held(() -> granted(peer, ordinal, bytes), () -> {}));
            return;
        }
        try {
            stage(ordinal).granted(peer, ordinal, bytes);
        } catch (LengthsDiffer e) {
            fail(ErrorKind.MISMATCH, e.words(peer, group.rank(), elements(ordinal)));
        }
    }

    private Stage stage(int ordinal) {
        return ordinal >= Stage.LENGTHS ? lengths : proper;
    }

    private String elements(int ordinal) {
        return ordinal >= Stage.LENGTHS ? "lengths" : descriptor().type().label();
    }

    /** Whether two ranks have to agree on more than the descriptor says. */
    private boolean isPairwise() {
        return descriptor().primitive().isPairwise();
    }

    /** A peer has made this call, and takes as much as this rank has for it. */
    void opened(int peer) {
        heardOf(peer);
        if (!taken[peer]) {
            taken[peer] = true;
            agreedBy(peer);
        }
    }

    /** A peer is known to have made this call with an equal descriptor. */
    void heardOf(int peer) {
        if (!heard[peer]) {
            heard[peer] = true;
            lastPeerNanos = group.core().loop().nanoTime();
            agreedBy(peer);
        }
    }

    private void agreedBy(int peer) {
        for (Stage stage : stages()) {
            if (failure == null && agreed(peer)) {
                stage.agreedBy(peer);
            }
        }
    }

    /** Whether a peer is known to have made this call. */
    boolean hasHeardOf(int peer) {
        return heard[peer];
    }

    /**
     * Whether a send to the peer needs no more word of it. The completion of a synchronising call depends on every
     * member anyway; but where lengths are known by pair, only the receiver can tell whether they are the same.
     */
    boolean agreed(int peer) {
        if (isPairwise()) {
            return taken[peer];
        }
        return heard[peer] || descriptor().primitive().synchronising();
    }

    /** Whether the call waits for others, and not only for what it has lent. */
    boolean isWaiting() {
        return failure == null;
    }

    /** When the call began. */
    long startNanos() {
        return inquiry.startNanos();
    }

    /** Group ranks without which this call cannot go on. */
    int[] awaited() {
        Stage stage = proper != null ? proper : lengths;
        return stage == null ? new int[0] : stage.awaited();
    }

    /** Those of {@link #awaited} for whom it waits now, the others being behind these. */
    int[] blockers() {
        Stage stage = proper != null ? proper : lengths;
        return stage == null ? new int[0] : stage.blockers();
    }

    /** Announces a transfer of a stage. */
    OutTransfer open(int peer, int ordinal, long bytes, ByteSpace source, Runnable onProgress) {
        Peer target = group.peer(peer);
        long eager = target.takeEager(bytes);
        OutTransfer transfer = target.newOut(bytes, eager, source, false, () -> {
            onProgress.run();
            endIfReturned();
        });
        target.send(new Frame.Open(group.id(), number, ordinal, transfer.id(), descriptor(), bytes, eager));
        return transfer;
    }

    /** Tells a peer that the first {@code bytes} bytes of its transfer are taken. */
    void grant(int peer, int ordinal, long bytes) {
        group.send(peer, new Frame.Grant(group.id(), number, ordinal, descriptor(), bytes));
    }

    @Override
    public void fail(ErrorKind kind, String text) {
        group.failed(number, new Failure(kind, group.rank(), text));
    }

    /** Every member hears of the failure; here the call ends as soon as nothing of it is lent. */
    void failedWith(Failure cause) {
        if (ended || failure != null) {
            return;
        }
        failure = cause;
        inquiry.stop();
        stages().forEach(stage -> stage.stop(cause));
        dropHeld();
        endIfReturned();
    }

    private List<Stage> stages() {
        return Stream.of(lengths, proper).filter(Objects::nonNull).toList();
    }

    private void dropHeld() {
        List<Held> frames = List.copyOf(held);
        held.clear();
        frames.forEach(frame -> frame.drop().run());
    }

    private void endIfReturned() {
        if (failure == null || ended || stages().stream().anyMatch(Stage::isLent)) {
            return;
        }
        end();
        group.ended(this, failure);
        submission.fail(failure.kind(), group.describe(number, descriptor(), failure));
    }

    private void completed() {
        end();
        group.ended(this, null);
        TensorStream output = call().output();
        submission.complete(
                Completion.ofCollective(output == null ? 0 : output.count(), Plan.lengthsOfOutput(problem)));
    }

    private void end() {
        ended = true;
        inquiry.stop();
        dropHeld();
        stages().forEach(Stage::release);
        if (exchange != null) {
            exchange.release();
        }
    }

    /** Time from the submission until the last member that this rank needed had called. */
    long waitNanos() {
        return Math.max(0, lastPeerNanos - submission.submittedNanos());
    }
}
