package io.parex.planner;

import io.parex.schedule.Schedule;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * How long the schedules of a world take on a network: every message goes through the cards of both hosts and takes its
 * ranks' time, in the order in which they can. As in the engine, a step begins as soon as the first segment that it
 * needs is there, and ends no earlier than the last; in between it is taken to get on evenly; messages leave before
 * their receiver has use for them, and large ones take turns. One simulation is made for each run. Pure: no network, no
 * clock.
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

    /** Steps that a step still waits for; of a receive its send is one. */
    private final int[] pending;

    private final int[] firstFollower;
    private final int[] followers;
    private final Turns overheads;
    private final Turns sums;
    private final Turns sending;
    private final Turns receiving;
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
        overheads = new Turns(size);
        sums = new Turns(size);
        sending = new Turns(network.host(size - 1) + 1);
        receiving = new Turns(network.host(size - 1) + 1);
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
            pending[step] = isReceive(step) ? 1 : 0;
            for (int edge = steps.firstEdge(step); edge < steps.firstEdge(step + 1); edge++) {
                firstFollower[steps.from(edge) + 1]++;
                pending[step]++;
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

    private boolean isReceive(int step) {
        return steps.kind(step) == StepArrays.Kind.STORE || steps.kind(step) == StepArrays.Kind.ADD;
    }

    private double run() {
        for (int step = 0; step < steps.count(); step++) {
            if (pending[step] == 0) {
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
            awaited(followers[at]);
        }
    }

    /** One of the steps that a step waits for has begun. */
    private void awaited(int step) {
        if (--pending[step] == 0) {
            queue.add(firstReady(step), step);
        }
    }

    /** When a step can begin. */
    private double firstReady(int step) {
        return Math.max(arrival[step], ready(step, segment(step)));
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
        double wire = onWire(send, local);
        double begun = overheads.begin(from, firstReady(send), network.overhead());
        double sent = local ? begun : sending.begin(network.host(from), begun, share(send) * wire);
        first[send] = sent;
        last[send] = local ? sent + wire : sending.end(network.host(from), begun, wire);
        arrival[receive] = sent + network.latency(local);
        awaited(receive);
    }

    private void receive(int receive) {
        int send = steps.partner(receive);
        int to = steps.rank(receive);
        boolean local = network.isLocal(steps.rank(send), to);
        double wire = onWire(send, local);
        double share = share(send);
        double came = arrival[receive];
        double all = came + wire;
        if (!local) {
            double sent = last[send] + network.latency(false);
            came = receiving.begin(network.host(to), came, share * wire);
            all = Math.max(sent, receiving.end(network.host(to), arrival[receive], wire));
        }
        double work = steps.kind(receive) == StepArrays.Kind.ADD ? bytes(send) / network.combine() : 0;
        double usable = Math.max(came + share * wire, ready(receive, segment(receive)));
        double begun = overheads.begin(to, usable, network.overhead()) + network.overhead();
        first[receive] = sums.begin(to, begun, share * work) + share * work;
        last[receive] = max(
                first[receive],
                sums.end(to, begun, work),
                all + share * work,
                ready(send, steps.length(send)) + network.latency(local) + share * (wire + work),
                ready(receive, steps.length(receive)) + share * work);
        first[send] = first[receive];
        last[send] = last[receive];
        release(send);
        release(receive);
    }

    /** The first segment's share of a step. */
    private double share(int step) {
        return steps.length(step) == 0 ? 0 : segment(step) / (double) steps.length(step);
    }

    private double bytes(int step) {
        return (double) steps.length(step) * steps.width(step);
    }

    private double onWire(int send, boolean local) {
        return bytes(send) / network.bandwidth(local);
    }

    private void work(int step) {
        double work = bytes(step) / network.combine();
        double ready = firstReady(step);
        first[step] = sums.begin(steps.rank(step), ready, share(step) * work) + share(step) * work;
        last[step] = max(
                first[step],
                sums.end(steps.rank(step), ready, work),
                ready(step, steps.length(step)) + share(step) * work);
        release(step);
    }

    private static double max(double... values) {
        double most = 0;
        for (double value : values) {
            most = Math.max(most, value);
        }
        return most;
    }
}
