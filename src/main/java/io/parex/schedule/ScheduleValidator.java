package io.parex.schedule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Proves the schedules of a world right without a network, or throws the first {@link ScheduleFault}:
 *
 * <ul>
 *   <li>every step is well formed, and every message meets a receive of the same length and form;
 *   <li>whole steps can run one after the other, and where the primitive synchronises, a rank that is through has
 *       heard, directly or not, of every other rank's call;
 *   <li>streamed element by element under rendezvous, with the smallest windows and unfavourable orders, nothing
 *       deadlocks, nothing is read before it is written or written while it is lent;
 *   <li>each output element is the wanted combination of inputs, each contribution once, as the same expression on all
 *       ranks and in all orders.
 * </ul>
 */
public final class ScheduleValidator {
    private static final int SEEDS = 6;

    private final Checks checks = new Checks();
    private final WorldSchedules world;
    private final boolean thorough;

    private ScheduleValidator(WorldSchedules world, boolean thorough) {
        this.world = world;
        this.thorough = thorough;
    }

    /** Validates in a few unfavourable orders of execution: for large worlds. */
    public static Validation validate(WorldSchedules world) {
        return new ScheduleValidator(world, false).run();
    }

    /** Validates also with each step in turn starved, so that no missing edge stays unseen: for small worlds. */
    public static Validation validateThoroughly(WorldSchedules world) {
        return new ScheduleValidator(world, true).run();
    }

    private Validation run() {
        StepTable table = new ScheduleRules(world, checks).check();
        RoundRun roundRun = new RoundRun(table);
        int rounds = roundRun.run();
        checkSynchronising(roundRun);
        Expressions expressions = new Expressions(world.size(), longestInput());
        Loans loans = new Loans(table);
        int[][] expected = null;
        for (Interleaving order : orders(table)) {
            SymbolicMemory memory = new SymbolicRun(table, loans, expressions, order, checks).run();
            new OutputRules(world, expressions, checks).check(memory);
            int[][] found = outputs(memory);
            checkSame(expected == null ? found : expected, found);
            expected = found;
        }
        boolean inRankOrder =
                world.primitive().reducing() && new OutputRules(world, expressions, checks).areLeftFolds(expected);
        return new Validation(rounds, sent(), inRankOrder, checks.count());
    }

    private int longestInput() {
        return (int) Math.max(
                1,
                world.problems().stream().mapToLong(Problem::inputLength).max().orElseThrow());
    }

    private List<Interleaving> orders(StepTable table) {
        List<Interleaving> orders = new ArrayList<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            orders.add(Interleaving.seeded(table, seed));
        }
        for (int id = 0; thorough && id < table.count(); id++) {
            if (!table.isSend(id)) {
                orders.add(Interleaving.starving(table, id));
            }
        }
        return orders;
    }

    private void checkSame(int[][] expected, int[][] found) {
        for (int rank = 0; rank < found.length; rank++) {
            int differing = rank;
            checks.test(
                    Arrays.equals(expected[rank], found[rank]),
                    () -> "the output of rank " + differing + " depends on the order of execution");
        }
    }

    private void checkSynchronising(RoundRun run) {
        for (int rank = 0; rank < world.size(); rank++) {
            int through = rank;
            int missing = run.heardBy(rank).nextClearBit(0);
            checks.test(
                    missing == world.size() || !world.primitive().synchronising(),
                    () -> "rank " + through + " is through without having heard of rank " + missing);
        }
    }

    private int[][] outputs(SymbolicMemory memory) {
        int[][] outputs = new int[world.size()][];
        for (int rank = 0; rank < outputs.length; rank++) {
            outputs[rank] = memory.output(rank);
        }
        return outputs;
    }

    private List<Validation.Sent> sent() {
        List<Validation.Sent> sent = new ArrayList<>();
        for (Schedule schedule : world.ranks()) {
            List<Step> sends = schedule.steps().stream()
                    .filter(Step.Send.class::isInstance)
                    .toList();
            sent.add(new Validation.Sent(
                    sends.size(), sends.stream().mapToLong(Step::length).sum()));
        }
        return sent;
    }
}
