package io.parex.schedule;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The steps of all ranks under one numbering, with what each waits for, what waits for it, and its partner. */
final class StepTable {
    /** The partner of a step that exchanges no message. */
    static final int NONE = -1;

    private record Message(int from, int to, int ordinal) {}

    private final WorldSchedules world;
    private final Step[] steps;
    private final int[] ranks;
    private final List<List<Edge>> waits = new ArrayList<>();
    private final List<List<Integer>> dependents = new ArrayList<>();
    private final int[] bases;
    private final int[] partners;

    /** Numbers the steps of a world whose single schedules are well formed. */
    StepTable(WorldSchedules world) {
        this.world = world;
        int count =
                world.ranks().stream().mapToInt(ranked -> ranked.steps().size()).sum();
        this.steps = new Step[count];
        this.ranks = new int[count];
        this.partners = new int[count];
        this.bases = new int[world.size()];
        for (int rank = 0; rank < world.size(); rank++) {
            addRank(rank, world.ranks().get(rank));
        }
        findPartners();
    }

    int count() {
        return steps.length;
    }

    WorldSchedules world() {
        return world;
    }

    Step step(int id) {
        return steps[id];
    }

    int rank(int id) {
        return ranks[id];
    }

    /** The number of a step within its rank. */
    int index(int id) {
        return id - bases[ranks[id]];
    }

    /** What a step waits for; the edges name steps by their index within the rank. */
    List<Edge> waits(int id) {
        return waits.get(id);
    }

    /** The earlier step of one of {@link #waits}. */
    int from(int id, Edge edge) {
        return bases[ranks[id]] + edge.from();
    }

    /** The steps that wait for this one. */
    List<Integer> dependents(int id) {
        return dependents.get(id);
    }

    /** The receive of a send, the send of a receive, else {@link #NONE}. */
    int partner(int id) {
        return partners[id];
    }

    boolean isSend(int id) {
        return steps[id] instanceof Step.Send;
    }

    /** What a send lends. */
    Slice source(int send) {
        return ((Step.Send) steps[send]).source();
    }

    /** Such as {@code rank 2 step 5 (send to 3 #0 scratch0[0,4))}. */
    String describe(int id) {
        return "rank " + rank(id) + " step " + index(id) + " (" + StepText.of(steps[id]) + ")";
    }

    private void addRank(int rank, Schedule schedule) {
        bases[rank] = waits.size();
        for (Step step : schedule.steps()) {
            steps[waits.size()] = step;
            ranks[waits.size()] = rank;
            waits.add(new ArrayList<>());
            dependents.add(new ArrayList<>());
        }
        for (Edge edge : schedule.edges()) {
            waits.get(bases[rank] + edge.to()).add(edge);
            dependents.get(bases[rank] + edge.from()).add(bases[rank] + edge.to());
        }
    }

    private void findPartners() {
        Map<Message, Integer> sends = new LinkedHashMap<>();
        for (int id = 0; id < steps.length; id++) {
            partners[id] = NONE;
            if (steps[id] instanceof Step.Send send) {
                sends.put(new Message(rank(id), send.peer(), send.ordinal()), id);
            }
        }
        for (int id = 0; id < steps.length; id++) {
            Message message = received(id);
            if (message != null) {
                Integer send = sends.remove(message);
                if (send == null) {
                    throw new ScheduleFault(describe(id) + " meets no send");
                }
                partners[id] = send;
                partners[send] = id;
            }
        }
        for (int send : sends.values()) {
            throw new ScheduleFault(describe(send) + " meets no receive");
        }
    }

    private Message received(int id) {
        return switch (steps[id]) {
            case Step.Recv recv -> new Message(recv.peer(), rank(id), recv.ordinal());
            case Step.RecvReduce recv -> new Message(recv.peer(), rank(id), recv.ordinal());
            default -> null;
        };
    }
}
