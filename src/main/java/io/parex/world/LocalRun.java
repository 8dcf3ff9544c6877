package io.parex.world;

import io.parex.tensor.Reduction;
import java.lang.foreign.MemorySegment;

/** A running {@link io.parex.schedule.Step.Reduce} or {@link io.parex.schedule.Step.Copy}. */
final class LocalRun extends StepRun {
    private final Region left;
    private final Region right;
    private final Region target;
    private final Reduction reduction;
    private final boolean alone;
    private final StreamGates gates;
    private long done;

    /**
     * Combines {@code left} and {@code right}, or copies {@code left} where {@code right} is null.
     *
     * @param reduction null for a call that reduces nothing
     * @param alone whether the copy is the reduction of this rank's input alone
     */
    LocalRun(
            long length,
            Region left,
            Region right,
            Region target,
            Reduction reduction,
            boolean alone,
            StreamGates gates) {
        super(length);
        this.left = left;
        this.right = right;
        this.target = target;
        this.reduction = reduction;
        this.alone = alone;
        this.gates = gates;
    }

    @Override
    long watermark() {
        return done;
    }

    @Override
    boolean isThrough() {
        return done == length();
    }

    @Override
    long advance() {
        long limit = Math.min(Math.min(limit(), gates.readable(left)), gates.writable(target));
        if (right != null) {
            limit = Math.min(limit, gates.readable(right));
        }
        long before = done;
        long turn = Math.min(limit, before + Limits.TURN_BYTES / Math.max(1, target.width()));
        while (done < turn) {
            work(turn - done);
        }
        return done - before;
    }

    private void work(long limit) {
        long count = left.contiguous(done, target.contiguous(done, limit));
        if (right != null) {
            count = right.contiguous(done, count);
            reduction.combine(
                    left.operand(done, count), right.operand(done, count), target.operand(done, count), count);
        } else if (alone) {
            reduction.alone(left.operand(done, count), target.operand(done, count), count);
        } else if (reduction != null) {
            reduction.copy(left.operand(done, count), target.operand(done, count), count);
        } else {
            MemorySegment.copy(left.at(done, count), 0, target.at(done, count), 0, count * target.width());
        }
        done += count;
    }
}
