package io.parex.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Which of the steps that can go on does so, and how far: a fixed order of precedence. */
final class Interleaving {
    private static final int KINDS = 3;

    private final List<Integer> steps;
    private final int[] places;
    private final Random random;
    private final boolean coarse;
    private final int pipeWindow;

    private Interleaving(List<Integer> steps, Random random, boolean coarse, int pipeWindow) {
        this.steps = steps;
        this.random = random;
        this.coarse = coarse;
        this.pipeWindow = pipeWindow;
        places = new int[steps.size()];
        for (int place = 0; place < places.length; place++) {
            places[steps.get(place)] = place;
        }
    }

    /**
     * An order by seed. Of every three seeds the first lets the latest steps of all ranks go first, the second lets one
     * rank after the other go as far as it can, and the third shuffles all steps. Three seeds go on element by element
     * with the smallest pipes, where a deadlock would show; the next three by random pieces with the largest, and so
     * on.
     */
    static Interleaving seeded(StepTable table, long seed) {
        Random random = new Random(seed);
        List<Integer> steps = numbers(table.count());
        List<Integer> ranks = numbers(table.world().size());
        Collections.shuffle(steps, random);
        Collections.shuffle(ranks, random);
        Comparator<Integer> byStep = Comparator.comparing(table::index);
        Comparator<Integer> byRank = Comparator.comparing(id -> ranks.get(table.rank(id)));
        switch ((int) (seed % KINDS)) {
            case 0 -> steps.sort(byStep.thenComparing(byRank));
            case 1 -> steps.sort(byRank.thenComparing(byStep));
            default -> {
                // The steps stay as they were shuffled.
            }
        }
        boolean coarse = seed / KINDS % 2 == 1;
        return new Interleaving(steps, random, coarse, coarse ? Integer.MAX_VALUE : 1);
    }

    /**
     * The order in which one step goes on, element by element, only when nothing else can, and no pipe holds anything
     * back. As progress never takes away from what others can do, whatever is able to overtake that step does so: with
     * every step starved once, no edge is missing.
     */
    static Interleaving starving(StepTable table, int starved) {
        List<Integer> steps = numbers(table.count());
        Comparator<Integer> starvedFirst = Comparator.comparing(id -> id != starved);
        steps.sort(starvedFirst.thenComparing(table::index));
        return new Interleaving(steps, new Random(starved), false, Integer.MAX_VALUE);
    }

    /** The place of a step in the order of precedence. */
    int place(int id) {
        return places[id];
    }

    /** The step at a place. */
    int step(int place) {
        return steps.get(place);
    }

    /** The place that goes first of a set of places, -1 for the empty set. */
    int highest(BitSet set) {
        return set.length() - 1;
    }

    /** Elements that a pipe holds. */
    int pipeWindow() {
        return pipeWindow;
    }

    /** How many of the available elements a step works through before the next choice. */
    long piece(long available) {
        return coarse && available > 1 ? random.nextLong(1, available + 1) : Math.min(available, 1);
    }

    private static List<Integer> numbers(int count) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            numbers.add(number);
        }
        return numbers;
    }
}
