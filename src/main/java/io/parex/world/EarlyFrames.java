package io.parex.world;

import io.parex.protocol.Descriptor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What has arrived for calls that this rank has not made yet. Its size is bounded by the senders: eager bytes by
 * credit, frames by the number of calls they may have in flight. Owner loop only.
 */
final class EarlyFrames {

    /** A peer's descriptor of a call. */
    record Seen(int peer, Descriptor descriptor) {
        /** What is wrong between this and the descriptor of rank {@code rank}, both spelled out. */
        String mismatch(int rank, Descriptor mine) {
            return "ranks " + rank + " and " + peer + " make different calls: "
                    + String.join(", ", mine.differences(descriptor)) + " (rank " + rank + ": " + mine + "; rank "
                    + peer
                    + ": " + descriptor + ")";
        }
    }

    private record Held(Runnable use, Runnable drop) {}

    private final Map<Long, List<Held>> held = new HashMap<>();
    private final Map<Long, List<Seen>> seen = new HashMap<>();

    /** Holds a frame: either {@code use} or {@code drop} runs later. */
    void add(long call, Runnable use, Runnable drop) {
        held.computeIfAbsent(call, any -> new ArrayList<>()).add(new Held(use, drop));
    }

    /** A peer has made the call with this descriptor. */
    void saw(long call, int peer, Descriptor descriptor) {
        List<Seen> known = seen.computeIfAbsent(call, any -> new ArrayList<>());
        Seen now = new Seen(peer, descriptor);
        if (!known.contains(now)) {
            known.add(now);
        }
    }

    /** The descriptors that peers have shown for the call. */
    List<Seen> descriptors(long call) {
        return seen.getOrDefault(call, List.of());
    }

    /** The frames held for the call, in order of arrival; they are held no longer. */
    List<Runnable> takeAll(long call) {
        seen.remove(call);
        List<Held> frames = held.remove(call);
        return frames == null ? List.of() : frames.stream().map(Held::use).toList();
    }

    /** Drops everything. */
    void dropAll() {
        List.copyOf(held.keySet()).forEach(this::drop);
        seen.clear();
    }

    /** Drops what is held for the call. */
    void drop(long call) {
        seen.remove(call);
        List<Held> frames = held.remove(call);
        if (frames != null) {
            frames.forEach(frame -> frame.drop().run());
        }
    }
}
