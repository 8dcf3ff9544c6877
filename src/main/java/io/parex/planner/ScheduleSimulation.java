package io.parex.planner;

import io.parex.schedule.Schedule;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * How long the schedules of a world take on a network: every message goes through the cards of both hosts and takes its
 * ranks' time, in the order in which they can. As in the engine, a step begins as soon as the first segment that it
 * needs is there, and ends no earlier than the last; in between it is taken to get on evenly. One simulation is made
 * for each run. Pure: no network, no clock.
 */
public final class ScheduleSimulation {
    /** The unit in which a step passes on what it has. */
    private static final int SEGMENT_BYTES = 64 << 10;

    private final PricedNetwork network;
    private final StepArrays steps;

    /** When the first segment of a step is through, and the last. */
    private final double[] first;

    private final double[] last;

    /** When the first byte of a message gets to the other host. */
    private final double[] arrival;

    /** Steps that a step, or a message with both its ends, still waits for. */
    private final int[] pending;

    private final int[] firstFollower;
    private final int[] followers;
    private final double[] rankFree;
    private final double[] sendFree;
    private final double[] receiveFree;
    private final TimeQueue queue = new TimeQueue();
    private double end;

    private ScheduleSimulation(PricedNetwork network, int size, StepArrays steps) {
        this.network = network;
        this.steps = steps;
        int count = steps.count();
        first = new double[count];
        last = new double[count];
        arrival = new double[count];
        pending = new int[count];
        firstFollower = new int[count + 1];
        followers = new int[steps.edgeCount()];
        rankFree = new double[size];
        sendFree = new double[network.host(size - 1) + 1];
        receiveFree = new double[network.host(size - 1) + 1];
        turnEdges();
    }

    /**
     * Seconds from the moment when all ranks call until the last one is through.
     *
     * @param valueBytes of an element of the tensor
     * @param partialBytes of an element of a partial result
     */
    public static double seconds(
            PricedNetwork network, int size, IntFunction<Schedule> schedules, int valueBytes, int partialBytes) {
        StepArrays steps = new StepArrays(size, schedules, valueBytes, partialBytes);
        return new ScheduleSimulation(network, size, steps).run();
    }

    /** Counts what each step waits for, and lists by step who waits for it. */
    private void turnEdges() {
        for (int step = 0; step < steps.count(); step++) {
            for (int edge = steps.firstEdge(step); edge < steps.firstEdge(step + 1); edge++) {
                firstFollower[steps.from(edge) + 1]++;
                pending[message(step)]++;
            }
        }
        for (int step = 0; step < steps.count(); step++) {
            firstFollower[step + 1] += firstFollower[step];
        }
        int[] next = Arrays.copyOf(firstFollower, steps.count());
        for (int step = 0; step < steps.count(); step++) {
            for (int edge = steps.firstEdge(step); edge < steps.firstEdge(step + 1); edge++) {
                followers[next[steps.from(edge)]++] = step;
            }
        }
    }

    /** The step under whose number both ends of a message go: the send. */
    private int message(int step) {
        boolean isReceive = steps.kind(step) == StepArrays.Kind.STORE || steps.kind(step) == StepArrays.Kind.ADD;
        return isReceive ? steps.partner(step) : step;
    }

    private double run() {
        for (int step = 0; step < steps.count(); step++) {
            if (message(step) == step && pending[step] == 0) {
                queue.add(0, step);
            }
        }
        while (!queue.isEmpty()) {
            int step = queue.remove();
            switch (steps.kind(step)) {
                case SEND -> send(step);
                case STORE, ADD -> receive(step);
                case LOCAL -> work(step);
            }
        }
        return end;
    }

    private void release(int step) {
        end = Math.max(end, last[step]);
        for (int at = firstFollower[step]; at < firstFollower[step + 1]; at++) {
            int node = message(followers[at]);
            if (--pending[node] == 0) {
                queue.add(firstReady(node), node);
            }
        }
    }

    /** When a step, or both ends of a message, can begin. */
    private double firstReady(int node) {
        double ready = ready(node, segment(node));
        return steps.kind(node) == StepArrays.Kind.SEND
                ? Math.max(ready, ready(steps.partner(node), segment(node)))
                : ready;
    }

    private long segment(int step) {
        return Math.min(steps.length(step), Math.max(1, SEGMENT_BYTES / steps.width(step)));
    }

    /** When a step's earlier steps let it work through its first {@code elements}. */
    private double ready(int step, long elements) {
        double ready = 0;
        for (int edge = steps.firstEdge(step); edge < steps.firstEdge(step + 1); edge++) {
            int from = steps.from(edge);
            long needed = steps.shift(edge) == StepArrays.WHOLE
                    ? steps.length(from)
                    : Math.min(steps.length(from), elements - steps.shift(edge));
            if (needed > 0 || steps.length(from) == 0) {
                ready = Math.max(ready, through(from, needed));
            }
        }
        return ready;
    }

    /** When a step is through its first {@code elements}. */
    private double through(int step, long elements) {
        long length = steps.length(step);
        long segment = segment(step);
        if (elements >= length) {
            return last[step];
        }
        if (elements <= segment) {
            return first[step];
        }
        return first[step] + (last[step] - first[step]) * (elements - segment) / (length - segment);
    }

    /** Sends a message off; the other end follows when it gets there. */
    private void send(int send) {
        int from = steps.rank(send);
        int receive = steps.partner(send);
        boolean local = network.isLocal(from, steps.rank(receive));
        double begun = take(rankFree, from, firstReady(send), network.overhead());
        double sent = local ? begun : take(sendFree, network.host(from), begun, onWire(send, local));
        first[send] = sent;
        queue.add(sent + network.latency(local), receive);
        arrival[receive] = sent + network.latency(local);
    }

    private void receive(int receive) {
        int send = steps.partner(receive);
        int to = steps.rank(receive);
        boolean local = network.isLocal(steps.rank(send), to);
        double wire = onWire(send, local);
        double share = steps.length(send) == 0 ? 0 : segment(send) / (double) steps.length(send);
        double came = arrival[receive];
        if (!local) {
            came = take(receiveFree, network.host(to), came, wire);
        }
        double work = steps.kind(receive) == StepArrays.Kind.ADD ? bytes(send) / network.combine() : 0;
        double begun = take(rankFree, to, came + share * wire, network.overhead() + work);
        first[receive] = begun + network.overhead() + share * work;
        last[receive] = max(
                begun + network.overhead() + work,
                came + wire + share * work,
                ready(send, steps.length(send)) + network.latency(local) + share * (wire + work),
                ready(receive, steps.length(receive)) + share * work);
        first[send] = first[receive];
        last[send] = last[receive];
        release(send);
        release(receive);
    }

    private double bytes(int step) {
        return (double) steps.length(step) * steps.width(step);
    }

    private double onWire(int send, boolean local) {
        return bytes(send) / network.bandwidth(local);
    }

    private void work(int step) {
        double work = bytes(step) / network.combine();
        double share = steps.length(step) == 0 ? 0 : segment(step) / (double) steps.length(step);
        double begun = take(rankFree, steps.rank(step), firstReady(step), work);
        first[step] = begun + share * work;
        last[step] = max(begun + work, ready(step, steps.length(step)) + share * work);
        release(step);
    }

    /** Uses something that one at a time can, as soon as it is free. */
    private static double take(double[] free, int which, double from, double duration) {
        double begin = Math.max(from, free[which]);
        free[which] = begin + duration;
        return begin;
    }

    private static double max(double... values) {
        return Arrays.stream(values).max().orElseThrow();
    }
}
