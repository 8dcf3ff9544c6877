package io.parex.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.Call;
import io.parex.world.Completion;
import io.parex.world.TensorStream;
import io.parex.world.Work;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One call of one client, from its header to its outcome: takes the chunks of its input, hands them to the world, gives
 * back the chunks of the output as they become final, and then the outcome. The same object serves sessions and plain
 * RPCs.
 *
 * <p>Memory: whole tensors where the call does not go through them in their order, shared by input and output where the
 * primitive has them in place; else a window each way. It is given back when the client has been answered <em>and</em>
 * the world has let go of it. A tensor that a session's client has placed in shared memory needs none.
 *
 * <p>Threads: everything in the mailbox of the client's stream, except what is marked otherwise.
 */
final class Operation {
    /** Up to this size the owner loop writes the answer itself: that takes it less time than waking another thread. */
    private static final long BRIEF_BYTES = 64 << 10;

    private final CallPlan plan;
    private final EdgeLimits limits;
    private final InFlight inFlight;
    private final Outlet outlet;
    private final Mailbox mailbox;
    private final OperationMemory memory;
    private final boolean brief;
    // What travels in chunks; null where there is none, or it lies in shared memory.
    private final TensorStream input;
    private final TensorStream output;
    private final long openedNanos = System.nanoTime();

    private long taken;
    private long toldRoom;
    private long sent;
    private long outputCredit = Long.MAX_VALUE;
    private long unreadSinceNanos;
    private boolean answered;
    private boolean released;

    // Any thread.
    private final AtomicBoolean woken = new AtomicBoolean();
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile Work work;
    private volatile String cancelled;
    private volatile Completion completion;
    private volatile ParexException failure;

    /**
     * Lets the operation in and reserves its memory. A collective for which there is none keeps its turn, to fail on
     * all members then: the others would wait for it with their own memory held.
     *
     * @param shared where tensors lie that do not travel in chunks
     * @throws ParexException if there is no memory for a point-to-point operation, or the process is closing
     */
    Operation(CallPlan plan, Edge edge, Outlet outlet, Mailbox mailbox, SharedTensors shared) {
        this.plan = plan;
        this.limits = edge.limits();
        this.inFlight = edge.inFlight();
        this.outlet = outlet;
        this.mailbox = mailbox;
        inFlight.enter();
        try {
            memory = OperationMemory.of(plan, edge, shared);
        } catch (RuntimeException e) {
            inFlight.leave();
            throw e;
        }
        brief = memory.stagedBytes() <= BRIEF_BYTES;
        input = memory.isInputShared() ? null : memory.input();
        output = memory.isOutputShared() ? null : memory.output();
        toldRoom = limits.window(input == null ? 0 : input.byteSize());
        if (input != null) {
            input.onConsumed(this::wake);
        }
        if (output != null) {
            output.onWritten(this::wake);
        }
    }

    /** Why this collective cannot be made: it cannot be meant, or there is no memory for it; null if it can. */
    ParexException lack() {
        return memory.lack();
    }

    CallPlan plan() {
        return plan;
    }

    /** Whether the caller may start this operation: true once, and never after {@link #cancel}. Any thread. */
    boolean claim() {
        return claimed.compareAndSet(false, true);
    }

    /** What whoever claimed the operation is to submit. */
    Call call() {
        return plan.call(memory.input(), memory.output());
    }

    /** The call was submitted as {@code started}. Any thread, once. */
    void submitted(Work started) {
        work = started;
        // cancel() writes its reason before it looks for the work: one of the two sees the other.
        if (cancelled != null) {
            started.cancel(cancelled);
        }
        started.completion().subscribe().with(this::succeed, this::refused);
    }

    /** Whether the world has got the call, as one of the calls that it counts. Any thread. */
    boolean wasSubmitted() {
        return work != null && !work.wasRefused();
    }

    private void succeed(Completion outcome) {
        completion = outcome;
        wake();
    }

    /** The call has failed, or was not even taken. Any thread. */
    void refused(Throwable reason) {
        failure = reason instanceof ParexException known
                ? known
                : new ParexException(ErrorKind.PROTOCOL, "internal error of the rank: " + reason, reason);
        wake();
    }

    /** Something has changed: looks at it, once for all that changed. Any thread. */
    private void wake() {
        if (woken.compareAndSet(false, true)) {
            if (brief) {
                mailbox.run(this::react);
            } else {
                mailbox.post(this::react);
            }
        }
    }

    private void react() {
        woken.set(false);
        // Before looking at the output, all of which was written before the completion.
        Completion ended = completion;
        if (answered) {
            release();
        } else if (failure != null) {
            answer(failure);
        } else {
            tellRoom();
            if (ended != null && output != null) {
                takeRest();
            }
            if (output != null && output.written() > sent) {
                if (unreadSinceNanos == 0) {
                    unreadSinceNanos = System.nanoTime();
                }
                outlet.outputReady(this);
            } else if (ended != null && (output == null || sent == output.byteSize())) {
                answer(ended);
            }
        }
    }

    /** What the call did not write is the input, which lies where it belongs; but it has to be there. */
    private void takeRest() {
        if (memory.isInPlace() && inputMissing() == 0 && output.written() < output.byteSize()) {
            output.advanceWritten(output.byteSize() - output.written());
        }
    }

    /** Tells the client of room for input when it is at least half a window, or all that is missing. */
    private void tellRoom() {
        if (input == null || toldRoom == input.byteSize()) {
            return;
        }
        long limit =
                plan.isWhole() ? input.byteSize() : Math.min(input.byteSize(), input.consumed() + limits.windowBytes());
        if (limit == input.byteSize() || limit - toldRoom >= limits.windowBytes() / 2) {
            toldRoom = limit;
            outlet.inputRoom(limit);
        }
    }

    /** Bytes of input, after those taken, that there is room for. */
    long inputRoom() {
        return toldRoom - taken;
    }

    /** Bytes of input that are still to come. */
    long inputMissing() {
        return input == null ? 0 : input.byteSize() - taken;
    }

    /** The next bytes of the input. Bad ones fail the operation; those of an operation that has ended are dropped. */
    void chunk(ByteString data) {
        if (answered || lack() != null) {
            return;
        }
        ParexException refusal = ChunkRules.refuse(data.size(), taken, toldRoom, plan);
        if (refusal != null) {
            fail(refusal);
            return;
        }
        int done = 0;
        while (done < data.size()) {
            MemorySegment target = input.writable();
            int length = (int) Math.min(target.byteSize(), data.size() - done);
            data.substring(done, done + length).copyTo(target.asSlice(0, length).asByteBuffer());
            done += length;
            taken += length;
            input.advanceWritten(length);
        }
        if (completion != null) {
            react();
        }
    }

    /** No more input comes: fails the operation if some is missing. */
    void inputEnded() {
        if (!answered && lack() == null && inputMissing() > 0) {
            fail(ParexException.argument("the input ended after " + taken + " of " + input.byteSize() + " bytes"));
        }
    }

    /** The client takes {@code limit} bytes of output in all. A lower limit than before changes nothing. */
    void credit(long limit) {
        outputCredit = outputCredit == Long.MAX_VALUE ? limit : Math.max(outputCredit, limit);
        react();
    }

    /** Sends the next chunk of output if there is one and credit for it. */
    void pump() {
        if (answered || failure != null) {
            return;
        }
        MemorySegment ready = output.readable();
        long length = Math.min(Math.min(ready.byteSize(), limits.chunkBytes()), outputCredit - sent);
        length -= Math.floorMod(length, output.type().bytes());
        if (length <= 0) {
            return;
        }
        outlet.chunk(UnsafeByteOperations.unsafeWrap(ready.asSlice(0, length).asByteBuffer()));
        sent += length;
        unreadSinceNanos = 0;
        output.advanceConsumed(length);
        // Looks for more output, or for the completion that was waiting for the last of it.
        react();
    }

    /** Time passes: ends an operation whose client leaves its results unread, or whose turn does not come. */
    void tick(long nowNanos) {
        if (answered) {
            return;
        }
        if (unreadSinceNanos != 0
                && nowNanos - unreadSinceNanos > limits.stall().toNanos()) {
            fail(new ParexException(
                    ErrorKind.ABORTED,
                    "the client has left results unread for "
                            + limits.stall().toMillis() + " ms (parex.timeout.stalled-reader) after " + sent + " of "
                            + output.byteSize() + " bytes; the call is cut"));
            return;
        }
        if (plan.group().isOver() && claim()) {
            refused(ParexException.refused(
                    ErrorKind.ABORTED,
                    "group " + plan.group().name() + " was recovered or closed while "
                            + plan.primitive().label() + " number "
                            + plan.header().getCallNumber() + " on rank " + plan.rank()
                            + " waited for calls with lower numbers; it was not started"));
            return;
        }
        Duration own = plan.options().timeout();
        Duration limit = own == null ? limits.callTimeout() : own;
        if (nowNanos - openedNanos > limit.toNanos() && claim()) {
            refused(ParexException.refused(
                    ErrorKind.TIMEOUT,
                    plan.primitive().label() + " number "
                            + plan.header().getCallNumber() + " on rank " + plan.rank() + " waited " + limit.toMillis()
                            + " ms for calls with lower numbers, which did not come; it was not started"));
        }
    }

    /** Ends the operation with a failure of the client's making; the world's part of it is cancelled. */
    void fail(ParexException reason) {
        if (!answered) {
            cancel("client of rank " + plan.rank() + ": " + reason.getMessage());
            answer(reason);
        }
    }

    /**
     * Ends the call on all members. The outcome comes from the world, unless the call was not yet started. Any thread.
     */
    void cancel(String reason) {
        cancelled = reason;
        if (claim()) {
            refused(ParexException.refused(ErrorKind.CANCELLED, "cancelled before it was started: " + reason));
            return;
        }
        Work running = work;
        if (running != null) {
            running.cancel(reason);
        }
    }

    private void answer(Completion ended) {
        answered = true;
        release();
        outlet.completed(ended);
    }

    private void answer(ParexException reason) {
        answered = true;
        release();
        outlet.failed(reason);
    }

    /** Gives the memory back, once, when the world is through with it: it has ended the call, or never got it. */
    private void release() {
        if (!released && (completion != null || failure != null)) {
            released = true;
            memory.release();
            inFlight.leave();
        }
    }
}
