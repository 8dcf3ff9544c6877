package io.parex.service;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.transport.shared.SealedMemory;
import io.parex.v1.SharedPlace;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory for tensors that one client has. It goes back to the system when the client has dropped it, or has gone,
 * <em>and</em> no call uses it any more. In the mailbox of the client's session, but for {@link Use#release}.
 */
final class SharedSegments {
    /** Segments of a client; each takes a descriptor on either side. */
    private static final int MOST = 256;

    private final SharedBudget budget;
    private final Executor executor;
    private final Map<Integer, Segment> segments = new HashMap<>();
    private int last;
    private long heldBytes;

    /** None yet, of {@code budget}; {@code executor} gives memory back, which takes a while. */
    SharedSegments(SharedBudget budget, Executor executor) {
        this.budget = budget;
        this.executor = executor;
    }

    /** One segment: whoever holds it, the client or a call, is counted. */
    private final class Segment {
        private final int id;
        private final SealedMemory memory;
        private final AtomicInteger holders = new AtomicInteger(1);

        Segment(int id, SealedMemory memory) {
            this.id = id;
            this.memory = memory;
        }

        void release() {
            if (holders.decrementAndGet() == 0) {
                executor.execute(() -> {
                    memory.close();
                    budget.giveBack(memory.byteSize());
                });
            }
        }
    }

    /** A part of a segment, which is there until the use of it is released. */
    static final class Use {
        private final Segment segment;
        private final TensorView tensor;

        private Use(Segment segment, TensorView tensor) {
            this.segment = segment;
            this.tensor = tensor;
        }

        TensorView tensor() {
            return tensor;
        }

        /** Nothing refers to the memory any more. Any thread, once. */
        void release() {
            segment.release();
        }
    }

    /** A new segment, known by its id. */
    record Added(int id, SealedMemory memory) {}

    /**
     * Makes a segment. Takes as long as the system needs to provide the memory.
     *
     * @throws ParexException if the client may not have as much, or there is none
     */
    Added add(long bytes) {
        if (bytes <= 0 || bytes > budget.clientBytes()) {
            budget.take(Math.max(bytes, 0), heldBytes);
            throw ParexException.argument("a segment of " + Long.toUnsignedString(bytes) + " bytes cannot be meant");
        }
        if (segments.size() >= MOST) {
            throw ParexException.argument("the client has " + MOST + " segments, the most that may be");
        }
        budget.take(bytes, heldBytes);
        SealedMemory memory;
        try {
            memory = SealedMemory.create("parex-tensors", bytes);
        } catch (ParexException e) {
            budget.giveBack(bytes);
            throw e;
        }
        heldBytes += bytes;
        Segment segment = new Segment(++last, memory);
        segments.put(segment.id, segment);
        return new Added(segment.id, memory);
    }

    /** The client uses a segment no more; one that is not there was dropped before. */
    void drop(int id) {
        Segment segment = segments.remove(id);
        if (segment != null) {
            heldBytes -= segment.memory.byteSize();
            segment.release();
        }
    }

    /**
     * The tensor of a call, in memory that stays until the use is released.
     *
     * @throws ParexException of kind {@code argument} if it does not lie in a segment of the client
     */
    Use use(SharedPlace place, Shape shape) {
        Segment segment = segments.get(place.getSegmentId());
        if (segment == null) {
            throw ParexException.argument("the client has no segment " + place.getSegmentId());
        }
        long size = segment.memory.byteSize();
        long offset = place.getOffset();
        DataType type = shape.type();
        if (offset < 0 || offset > size || shape.bytes() > size - offset || offset % type.bytes() != 0) {
            throw ParexException.argument(shape.count() + " " + type.label() + " from byte "
                    + Long.toUnsignedString(offset) + " on do not lie in segment " + segment.id + " of " + size
                    + " bytes, or not at a multiple of " + type.bytes());
        }
        TensorView tensor =
                new TensorView(segment.memory.segment().asSlice(offset, shape.bytes()), type, shape.count());
        segment.holders.incrementAndGet();
        return new Use(segment, tensor);
    }

    /** The client has gone: what no call uses goes back at once. */
    void dropAll() {
        segments.values().forEach(Segment::release);
        segments.clear();
        heldBytes = 0;
    }
}
