package io.parex.world;

import io.parex.protocol.Frame;
import io.parex.transport.OwnerLoop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Frames of epochs of groups that have not begun here: their senders have heard a little earlier that all are ready.
 * Held for a limited time and in limited number; what is not used then goes where frames of old epochs go. Owner loop
 * only.
 */
final class HeldFrames {
    private record Held(int from, Frame.OfGroup frame) {}

    private final OwnerLoop loop;
    private final BiConsumer<Integer, Frame.OfGroup> stale;
    private final Map<Long, List<Held>> held = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();

    HeldFrames(OwnerLoop loop, BiConsumer<Integer, Frame.OfGroup> stale) {
        this.loop = loop;
        this.stale = stale;
    }

    /** Keeps a frame of rank {@code from} of the world. */
    void hold(int from, Frame.OfGroup frame) {
        if (counts.merge(from, 1, Integer::sum) > Limits.FRAMES_HELD) {
            counts.merge(from, -1, Integer::sum);
            stale.accept(from, frame);
            return;
        }
        long group = frame.group();
        List<Held> frames = held.get(group);
        if (frames == null) {
            List<Held> fresh = new ArrayList<>();
            frames = fresh;
            held.put(group, fresh);
            loop.schedule(Limits.HOLD_NANOS, () -> expire(group, fresh));
        }
        frames.add(new Held(from, frame));
    }

    private void expire(long group, List<Held> frames) {
        if (held.remove(group, frames)) {
            use(frames, stale);
        }
    }

    /** Gives the frames of an epoch that begins now to {@code use}, in the order of their arrival. */
    void release(long group, BiConsumer<Integer, Frame.OfGroup> use) {
        List<Held> frames = held.remove(group);
        if (frames != null) {
            use(frames, use);
        }
    }

    private void use(List<Held> frames, BiConsumer<Integer, Frame.OfGroup> use) {
        for (Held each : frames) {
            counts.merge(each.from(), -1, Integer::sum);
            use.accept(each.from(), each.frame());
        }
    }

    /** A peer is gone: nothing of it is worth keeping. Gives what was held of it to {@code drop}. */
    void forget(int from, Consumer<Frame.OfGroup> drop) {
        for (List<Held> frames : held.values()) {
            frames.stream().filter(each -> each.from() == from).map(Held::frame).forEach(drop);
            frames.removeIf(each -> each.from() == from);
        }
        counts.remove(from);
    }
}
