package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Frames of groups that were not created here yet, and of epochs that have not begun here: their senders have heard a
 * little earlier that all are ready. Held for a limited time and in limited number; what is not used then is refused.
 * Owner loop only.
 */
final class HeldFrames {
    private record Held(int from, Frame.OfGroup frame) {}

    /** Who answers a frame that is not held. */
    interface Refusal {
        /** To rank {@code from} of the world. */
        void answer(int from, Frame.OfGroup frame, Failure failure);
    }

    private final RankCore core;
    private final Refusal refusal;
    private final Map<Long, List<Held>> held = new HashMap<>();
    private final Map<Integer, Integer> counts = new HashMap<>();

    HeldFrames(RankCore core, Refusal refusal) {
        this.core = core;
        this.refusal = refusal;
    }

    /** Keeps a frame of rank {@code from} of the world. */
    void hold(int from, Frame.OfGroup frame) {
        boolean isCounted = isCounted(frame);
        if (isCounted && counts.merge(from, 1, Integer::sum) > Limits.FRAMES_HELD) {
            counts.merge(from, -1, Integer::sum);
            refusal.answer(
                    from,
                    frame,
                    new Failure(
                            ErrorKind.OVERLOADED,
                            core.rank(),
                            "rank " + core.rank() + " of the world holds " + Limits.FRAMES_HELD
                                    + " frames of calls of one rank on groups that it has not created yet, the limit"));
            return;
        }
        long group = frame.group();
        List<Held> frames = held.get(group);
        if (frames == null) {
            List<Held> fresh = new ArrayList<>();
            frames = fresh;
            held.put(group, fresh);
            expireLater(group, fresh);
        }
        frames.add(new Held(from, frame));
    }

    /** Messages are as many as credit allows: their senders wait then, and need not be refused. */
    private static boolean isCounted(Frame.OfGroup frame) {
        return !(frame instanceof Frame.Envelope);
    }

    /** Messages that are here whole are sent as far as their senders know: they stay until somebody receives them. */
    private static boolean isSent(Frame.OfGroup frame) {
        return frame instanceof Frame.Envelope envelope && envelope.eager() == envelope.bytes();
    }

    private void expireLater(long group, List<Held> frames) {
        core.loop().schedule(core.options().callTimeout().toNanos(), () -> expire(group, frames));
    }

    private void expire(long group, List<Held> frames) {
        if (held.get(group) == frames) {
            List<Held> late =
                    frames.stream().filter(each -> !isSent(each.frame())).toList();
            frames.removeAll(late);
            if (frames.isEmpty()) {
                held.remove(group);
            } else {
                expireLater(group, frames);
            }
            Failure failure = new Failure(
                    ErrorKind.ABORTED,
                    core.rank(),
                    "rank " + core.rank() + " of the world has not created this group within "
                            + Durations.words(core.options().callTimeout().toNanos())
                            + ", or is not in this epoch of it (any more)");
            use(late, (from, frame) -> refusal.answer(from, frame, failure));
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
            if (isCounted(each.frame())) {
                counts.merge(each.from(), -1, Integer::sum);
            }
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
