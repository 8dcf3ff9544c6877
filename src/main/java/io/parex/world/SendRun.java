package io.parex.world;

import io.parex.schedule.Step;

/** A running {@link Step.Send}. Its watermark is what the receiver has consumed: only that may be overwritten. */
final class SendRun extends StepRun {
    private final Step.Send step;
    private final Region source;
    private final Wire wire;
    private final StreamGates gates;
    private final Runnable onProgress;
    private OutTransfer transfer;
    private long granted;

    SendRun(Step.Send step, Region source, Wire wire, StreamGates gates, Runnable onProgress) {
        super(step.length());
        this.step = step;
        this.source = source;
        this.wire = wire;
        this.gates = gates;
        this.onProgress = onProgress;
    }

    int peer() {
        return step.peer();
    }

    /** Bytes of an element on the wire. */
    int wireWidth() {
        return source.width();
    }

    OutTransfer transfer() {
        return transfer;
    }

    /** The receiver takes the first {@code bytes} bytes. */
    void granted(long bytes) {
        granted = Math.max(granted, bytes);
        if (transfer != null) {
            transfer.allow(granted);
        }
    }

    @Override
    long watermark() {
        return transfer == null ? 0 : transfer.released() / source.width();
    }

    @Override
    boolean isThrough() {
        return transfer != null && transfer.isDone() && wire.agreed(step.peer());
    }

    @Override
    int awaitedPeer() {
        if (transfer == null || isThrough()) {
            return -1;
        }
        boolean offered = Math.min(limit(), gates.readable(source)) > watermark();
        return offered || transfer.isDone() ? step.peer() : -1;
    }

    @Override
    long advance() {
        long limit = Math.min(limit(), gates.readable(source));
        if (transfer == null) {
            // The first byte to send proves that all this step depends on was compared and agreed; so does the end of a
            // fence.
            if (length() == 0 ? !mayEnd() : limit == 0) {
                return 0;
            }
            long bytes = length() * source.width();
            transfer = wire.open(step.peer(), step.ordinal(), bytes, this::source, onProgress);
            transfer.allow(granted);
        }
        transfer.available(limit * source.width());
        return 0;
    }

    private java.lang.foreign.MemorySegment source(long position, long limit) {
        return source.space().at(source.base() + position, limit);
    }
}
