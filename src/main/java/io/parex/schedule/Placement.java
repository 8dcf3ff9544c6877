package io.parex.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Which ranks of a group share a host, so that messages between them cost little; equal on all members. Hosts are
 * numbered in the order of their first ranks. Immutable.
 */
public final class Placement {
    /** Of a group of which nothing is known: each rank counts as alone on its host. */
    public static final Placement UNKNOWN = new Placement(new int[0], List.of());

    private final int[] hosts;
    private final List<int[]> ranks;
    private final int hash;

    private Placement(int[] hosts, List<int[]> ranks) {
        this.hosts = hosts;
        this.ranks = ranks;
        this.hash = Arrays.hashCode(hosts);
    }

    /**
     * The placement of {@code size} ranks.
     *
     * @param host what tells a rank's host from others
     */
    public static Placement of(int size, IntFunction<?> host) {
        Map<Object, Integer> numbers = new HashMap<>();
        int[] hosts = new int[size];
        for (int rank = 0; rank < size; rank++) {
            int fresh = numbers.size();
            hosts[rank] = numbers.computeIfAbsent(host.apply(rank), key -> fresh);
        }
        if (numbers.size() == size) {
            return UNKNOWN;
        }
        List<int[]> ranks = new ArrayList<>();
        for (int number = 0; number < numbers.size(); number++) {
            int wanted = number;
            ranks.add(IntStream.range(0, size)
                    .filter(rank -> hosts[rank] == wanted)
                    .toArray());
        }
        return new Placement(hosts, ranks);
    }

    /** The same for a group of {@code size} ranks, with each rank on a host of its own where nothing is known. */
    Placement known(int size) {
        if (this != UNKNOWN) {
            if (hosts.length != size) {
                throw new IllegalArgumentException("a placement of " + hosts.length + " ranks for " + size);
            }
            return this;
        }
        int[] alone = IntStream.range(0, size).toArray();
        return new Placement(
                alone, Arrays.stream(alone).mapToObj(rank -> new int[] {rank}).toList());
    }

    /** Whether there are several hosts, and several ranks on at least one. */
    public boolean isMixed() {
        return ranks.size() > 1;
    }

    /** Number of hosts. */
    public int hosts() {
        return ranks.size();
    }

    /** The host of a rank. */
    public int host(int rank) {
        return hosts[rank];
    }

    /** Number of ranks on a host. */
    public int size(int host) {
        return ranks.get(host).length;
    }

    /** The rank at a place of a host; places are counted in the order of ranks. */
    public int rank(int host, int place) {
        return ranks.get(host)[place];
    }

    /** The place of a rank on its host. */
    public int place(int rank) {
        return Arrays.binarySearch(ranks.get(hosts[rank]), rank);
    }

    /** Ranks on the host that has the fewest. */
    public int fewest() {
        return ranks.stream().mapToInt(each -> each.length).min().orElse(1);
    }

    /** Ranks on the host that has the most. */
    public int most() {
        return ranks.stream().mapToInt(each -> each.length).max().orElse(1);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Placement placement
                        && hash == placement.hash
                        && Arrays.equals(hosts, placement.hosts);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Such as {@code hosts [0, 0, 1, 1]}. */
    @Override
    public String toString() {
        return this == UNKNOWN ? "hosts unknown" : "hosts " + Arrays.toString(hosts);
    }
}
