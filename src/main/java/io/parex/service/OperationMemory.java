package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.PooledBuffer;
import io.parex.world.TensorStream;

/**
 * Where the tensors of one operation lie: each in staging memory, from which it travels in chunks, or in memory that
 * the client shares.
 */
final class OperationMemory {
    private final CallPlan plan;
    private final PooledBuffer room;
    private final SharedSegments.Use sharedInput;
    private final SharedSegments.Use sharedOutput;
    private final ParexException lack;
    private final TensorStream input;
    private final TensorStream output;

    private OperationMemory(
            CallPlan plan,
            PooledBuffer room,
            SharedSegments.Use sharedInput,
            SharedSegments.Use sharedOutput,
            EdgeLimits limits) {
        this.plan = plan;
        this.room = room;
        this.sharedInput = sharedInput;
        this.sharedOutput = sharedOutput;
        this.lack = null;
        long in = staged(plan, plan.input(), sharedInput, limits);
        long out = staged(plan, plan.output(), sharedOutput, limits);
        Sharing sharing = sharing(plan, sharedInput, sharedOutput);
        input = sharedInput != null
                ? TensorStream.input(sharedInput.tensor())
                : through(plan.input(), sharing.inputAt(), in);
        output = sharedOutput != null
                ? TensorStream.output(sharedOutput.tensor())
                : through(plan.output(), sharing.outputBehind(in), out);
    }

    /** That of a collective that can only be given up. */
    private OperationMemory(CallPlan plan, ParexException lack) {
        this.plan = plan;
        this.lack = lack;
        room = null;
        sharedInput = null;
        sharedOutput = null;
        input = unbacked(plan.input());
        output = unbacked(plan.output());
    }

    /**
     * Reserves all that the operation will ever need.
     *
     * @throws ParexException if that cannot be had for a point-to-point operation
     */
    static OperationMemory of(CallPlan plan, Edge edge, SharedTensors shared) {
        if (plan.wrong() != null) {
            return new OperationMemory(plan, plan.wrong());
        }
        SharedSegments.Use input = null;
        SharedSegments.Use output = null;
        try {
            input = shared.input(plan.input());
            output = shared.output(plan.output());
            long bytes = sharing(plan, input, output)
                    .bytes(
                            staged(plan, plan.input(), input, edge.limits()),
                            staged(plan, plan.output(), output, edge.limits()));
            PooledBuffer room = edge.staging().reserve(bytes);
            return new OperationMemory(plan, room, input, output, edge.limits());
        } catch (ParexException e) {
            release(input);
            release(output);
            if (plan.isCollective() && (e.kind() == ErrorKind.OVERLOADED || e.kind() == ErrorKind.ARGUMENT)) {
                return new OperationMemory(plan, e);
            }
            throw new ParexException(e.kind(), e.getMessage() + "; nothing was started", e);
        }
    }

    private static Sharing sharing(CallPlan plan, SharedSegments.Use input, SharedSegments.Use output) {
        return input == null && output == null ? plan.sharing() : Sharing.NONE;
    }

    /** Bytes of staging memory for one side. */
    private static long staged(CallPlan plan, Shape shape, SharedSegments.Use shared, EdgeLimits limits) {
        if (shape == null || shared != null) {
            return 0;
        }
        return plan.isWhole() ? shape.bytes() : limits.window(shape.bytes());
    }

    private TensorStream through(Shape shape, long offset, long bytes) {
        return shape == null
                ? null
                : TensorStream.through(room.segment().asSlice(offset, bytes), shape.type(), shape.count());
    }

    private static TensorStream unbacked(Shape shape) {
        return shape == null ? null : TensorStream.unbacked(shape.type(), shape.count());
    }

    /** What the call reads; null for nothing. */
    TensorStream input() {
        return input;
    }

    /** What the call writes; null for nothing. */
    TensorStream output() {
        return output;
    }

    boolean isInputShared() {
        return sharedInput != null;
    }

    boolean isOutputShared() {
        return sharedOutput != null;
    }

    /** Whether input and output are the same staging memory, as far as the primitive has them in place. */
    boolean isInPlace() {
        return room != null && sharing(plan, sharedInput, sharedOutput).shared();
    }

    /** Bytes of staging memory. */
    long stagedBytes() {
        return room == null ? 0 : room.byteSize();
    }

    /** Why the call cannot be made: it cannot be meant, or there is no memory for it; null if it can. */
    ParexException lack() {
        return lack;
    }

    /** Gives it back: nothing refers to it any more. Once. */
    void release() {
        if (room != null) {
            room.release();
        }
        release(sharedInput);
        release(sharedOutput);
    }

    private static void release(SharedSegments.Use use) {
        if (use != null) {
            use.release();
        }
    }
}
