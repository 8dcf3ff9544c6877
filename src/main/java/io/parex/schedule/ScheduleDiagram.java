package io.parex.schedule;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Schedules of a world as a sequence diagram in the language of Mermaid: the ranks are its participants, each message
 * is an arrow that says what of the sender becomes what of the receiver, and local steps are notes. Messages stand in
 * an order in which they could follow each other.
 */
public final class ScheduleDiagram {
    private final List<Schedule> schedules;
    private final StringBuilder text = new StringBuilder("sequenceDiagram\n");

    private record Message(int from, int to, int ordinal) {}

    /** Messages that were sent and not received yet. */
    private final Map<Message, Step.Send> sent = new HashMap<>();

    private final Set<Integer> drawn;

    private ScheduleDiagram(List<Schedule> schedules) {
        this.schedules = schedules;
        this.drawn = schedules.stream().map(Schedule::rank).collect(Collectors.toSet());
    }

    /** The diagram of all ranks' schedules, or of some: then what they exchange with others is drawn as well. */
    public static String mermaid(List<Schedule> schedules) {
        return new ScheduleDiagram(schedules).draw();
    }

    private String draw() {
        ranks().forEach(rank -> text.append("    participant r")
                .append(rank)
                .append(" as rank ")
                .append(rank)
                .append('\n'));
        List<Queue<Step>> left = new ArrayList<>();
        schedules.forEach(schedule -> left.add(new ArrayDeque<>(schedule.steps())));
        while (left.stream().anyMatch(steps -> !steps.isEmpty())) {
            boolean moved = false;
            for (int index = 0; index < left.size(); index++) {
                moved |= advance(schedules.get(index).rank(), left.get(index));
            }
            if (!moved) {
                throw new IllegalArgumentException("receives that meet no send: " + left);
            }
        }
        return text.toString();
    }

    /** Those of the schedules, and those that they exchange messages with. */
    private Set<Integer> ranks() {
        Set<Integer> ranks = new TreeSet<>();
        for (Schedule schedule : schedules) {
            ranks.add(schedule.rank());
            schedule.steps().stream()
                    .map(ScheduleDiagram::peer)
                    .filter(peer -> peer >= 0)
                    .forEach(ranks::add);
        }
        return ranks;
    }

    private boolean isDrawn(int rank) {
        return drawn.contains(rank);
    }

    private static int peer(Step step) {
        return switch (step) {
            case Step.Send send -> send.peer();
            case Step.Recv recv -> recv.peer();
            case Step.RecvReduce recv -> recv.peer();
            case Step.Reduce reduce -> -1;
            case Step.Copy copy -> -1;
        };
    }

    /** Takes the steps of a rank up to the first one whose message has not been sent yet. */
    private boolean advance(int rank, Queue<Step> steps) {
        boolean moved = false;
        while (!steps.isEmpty() && draw(rank, steps.peek())) {
            steps.remove();
            moved = true;
        }
        return moved;
    }

    private boolean draw(int rank, Step step) {
        return switch (step) {
            case Step.Send send -> {
                if (isDrawn(send.peer())) {
                    sent.put(new Message(rank, send.peer(), send.ordinal()), send);
                } else {
                    arrow(rank, send.peer(), send.source().toString());
                }
                yield true;
            }
            case Step.Recv recv -> received(rank, recv.peer(), recv.ordinal(), StepText.slices(step));
            case Step.RecvReduce recv -> received(rank, recv.peer(), recv.ordinal(), StepText.slices(step));
            case Step.Reduce reduce -> note(rank, step);
            case Step.Copy copy -> note(rank, step);
        };
    }

    private boolean received(int rank, int peer, int ordinal, String becomes) {
        if (!isDrawn(peer)) {
            arrow(peer, rank, becomes);
            return true;
        }
        Step.Send send = sent.remove(new Message(peer, rank, ordinal));
        if (send != null) {
            arrow(peer, rank, send.source() + " to " + becomes);
        }
        return send != null;
    }

    private void arrow(int from, int to, String what) {
        text.append("    r")
                .append(from)
                .append("->>r")
                .append(to)
                .append(": ")
                .append(what)
                .append('\n');
    }

    private boolean note(int rank, Step step) {
        text.append("    Note over r")
                .append(rank)
                .append(": ")
                .append(StepText.of(step))
                .append('\n');
        return true;
    }
}
