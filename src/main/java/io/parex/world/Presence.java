package io.parex.world;

import io.parex.protocol.Frame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Whether this rank takes part in a group now. Its callers may go and others may come in their place: in between, the
 * other members must not wait for calls that nobody will make. Owner loop only.
 */
final class Presence {
    private final GroupCore group;
    private final int[] unanswered;
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean leaving;
    private boolean waitsForIdle;
    private boolean away;
    private boolean over;

    Presence(GroupCore group) {
        this.group = group;
        this.unanswered = new int[group.size()];
    }

    /** No more calls come, for now; those there are end first, for the others are to take part in them. */
    void leave() {
        leaving = true;
        if (waitsForIdle) {
            return;
        }
        waitsForIdle = true;
        group.core().whenIdle(() -> {
            waitsForIdle = false;
            if (leaving && !away) {
                away = true;
                group.leave();
            }
        });
    }

    /** Calls come again; {@code whenHeard} runs when all members that can be reached know. */
    void rejoin(Runnable whenHeard) {
        leaving = false;
        if (away && !over) {
            away = false;
            // What is known already; the answers tell the rest.
            group.rejoined(0);
            for (int member = 0; member < group.size(); member++) {
                if (member != group.rank() && !group.peer(member).isClosed()) {
                    unanswered[member]++;
                    group.send(member, new Frame.Rejoin(group.id()));
                }
            }
        }
        waiting.add(whenHeard);
        runIfHeard();
    }

    /** As {@link #rejoin}, by making a call. */
    void called() {
        leaving = false;
        if (away) {
            rejoin(() -> {});
        }
    }

    /** A member knows, which has made all calls below {@code nextCall}. */
    void answered(int member, long nextCall) {
        group.rejoined(nextCall);
        unanswered[member]--;
        runIfHeard();
    }

    /** A member will not answer any more. */
    void lost(int member) {
        unanswered[member] = 0;
        runIfHeard();
    }

    /** No calls are made any more until a recovery, and nobody need answer: members that recover do not. */
    void end() {
        over = true;
        Arrays.fill(unanswered, 0);
        runIfHeard();
    }

    private void runIfHeard() {
        for (int count : unanswered) {
            if (count > 0) {
                return;
            }
        }
        List<Runnable> heard = List.copyOf(waiting);
        waiting.clear();
        heard.forEach(Runnable::run);
    }
}
