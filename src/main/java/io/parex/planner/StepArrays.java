package io.parex.planner;

import io.parex.schedule.Edge;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The steps of all ranks under one numbering, in arrays: a world of a thousand ranks has millions of them. Filled by
 * some ranks at a time, so that not all schedules are in memory at once.
 */
final class StepArrays {
    /** The partner of a step that exchanges no message. */
    static final int NONE = -1;

    /** The shift of an edge that waits for the end of a step. */
    static final long WHOLE = Long.MIN_VALUE;

    private static final int FIRST_CAPACITY = 1024;

    /** Schedules that are made at the same time, by all processors. */
    private static final int RANKS_AT_ONCE = 64;

    private final int valueBytes;
    private final int partialBytes;
    private int count;
    private int edges;
    private int[] ranks = new int[FIRST_CAPACITY];
    private int[] partners = new int[FIRST_CAPACITY];
    private int[] peers = new int[FIRST_CAPACITY];
    private long[] lengths = new long[FIRST_CAPACITY];
    private byte[] widths = new byte[FIRST_CAPACITY];
    private Kind[] kinds = new Kind[FIRST_CAPACITY];

    /** Where the edges to a step begin; one more than there are steps. */
    private int[] firstEdges = new int[FIRST_CAPACITY + 1];

    private int[] edgeFrom = new int[FIRST_CAPACITY];
    private long[] edgeShift = new long[FIRST_CAPACITY];

    /** What a step does. */
    enum Kind {
        SEND,
        STORE,
        ADD,
        LOCAL
    }

    /**
     * The schedules of ranks 0 to {@code size - 1}.
     *
     * @param valueBytes of an element of the tensor
     * @param partialBytes of an element of a partial result
     */
    StepArrays(int size, IntFunction<Schedule> schedules, int valueBytes, int partialBytes) {
        this.valueBytes = valueBytes;
        this.partialBytes = partialBytes;
        for (int first = 0; first < size; first += RANKS_AT_ONCE) {
            List<Schedule> some = IntStream.range(first, Math.min(size, first + RANKS_AT_ONCE))
                    .parallel()
                    .mapToObj(schedules)
                    .toList();
            for (int next = 0; next < some.size(); next++) {
                add(first + next, some.get(next));
            }
        }
        join(size);
    }

    int count() {
        return count;
    }

    int edgeCount() {
        return edges;
    }

    int rank(int step) {
        return ranks[step];
    }

    Kind kind(int step) {
        return kinds[step];
    }

    long length(int step) {
        return lengths[step];
    }

    /** Bytes of an element that travels, or is worked on. */
    int width(int step) {
        return widths[step];
    }

    /** The receive of a send, the send of a receive, else {@link #NONE}. */
    int partner(int step) {
        return partners[step];
    }

    /** The first edge to a step; those up to the first one of the next step are its edges. */
    int firstEdge(int step) {
        return firstEdges[step];
    }

    /** The step that an edge leads from. */
    int from(int edge) {
        return edgeFrom[edge];
    }

    /** As {@link Edge#shift}, or {@link #WHOLE}. */
    long shift(int edge) {
        return edgeShift[edge];
    }

    private void add(int owner, Schedule schedule) {
        int base = count;
        boolean reducing = schedule.primitive().reducing();
        int next = 0;
        for (Step step : schedule.steps()) {
            if (count == ranks.length) {
                grow();
            }
            ranks[count] = owner;
            lengths[count] = step.length();
            describe(step, reducing);
            while (next < schedule.edges().size() && schedule.edges().get(next).to() == count - base) {
                add(base, schedule.edges().get(next++));
            }
            firstEdges[++count] = edges;
        }
    }

    private void describe(Step step, boolean reducing) {
        switch (step) {
            case Step.Send send -> describe(Kind.SEND, send.peer(), isPartial(send.source(), reducing));
            case Step.Recv recv -> describe(Kind.STORE, recv.peer(), isPartial(recv.target(), reducing));
            case Step.RecvReduce recv -> describe(Kind.ADD, recv.peer(), recv.partial());
            case Step.Reduce reduce -> describe(Kind.LOCAL, NONE, isPartial(reduce.left(), reducing));
            case Step.Copy copy -> describe(Kind.LOCAL, NONE, isPartial(copy.source(), reducing));
        }
    }

    private void describe(Kind kind, int peer, boolean partial) {
        kinds[count] = kind;
        peers[count] = peer;
        partners[count] = NONE;
        widths[count] = (byte) (partial ? partialBytes : valueBytes);
    }

    private static boolean isPartial(Slice slice, boolean reducing) {
        return reducing && slice.buffer().isScratch();
    }

    private void add(int base, Edge edge) {
        if (edges == edgeFrom.length) {
            edgeFrom = Arrays.copyOf(edgeFrom, 2 * edges);
            edgeShift = Arrays.copyOf(edgeShift, 2 * edges);
        }
        edgeFrom[edges] = base + edge.from();
        edgeShift[edges++] = edge.whole() ? WHOLE : edge.shift();
    }

    private void grow() {
        int capacity = 2 * count;
        ranks = Arrays.copyOf(ranks, capacity);
        partners = Arrays.copyOf(partners, capacity);
        peers = Arrays.copyOf(peers, capacity);
        lengths = Arrays.copyOf(lengths, capacity);
        widths = Arrays.copyOf(widths, capacity);
        kinds = Arrays.copyOf(kinds, capacity);
        firstEdges = Arrays.copyOf(firstEdges, capacity + 1);
    }

    /** Finds partners: the k-th send of a rank to another meets the k-th receive there from it. */
    private void join(int size) {
        int[] later = new int[count];
        Map<Long, Integer> next = new HashMap<>();
        for (int step = count - 1; step >= 0; step--) {
            if (kinds[step] == Kind.SEND) {
                Integer known = next.put((long) ranks[step] * size + peers[step], step);
                later[step] = known == null ? NONE : known;
            }
        }
        for (int step = 0; step < count; step++) {
            if (kinds[step] == Kind.STORE || kinds[step] == Kind.ADD) {
                long pair = (long) peers[step] * size + ranks[step];
                int send = next.get(pair);
                partners[step] = send;
                partners[send] = step;
                next.put(pair, later[send]);
            }
        }
    }
}
