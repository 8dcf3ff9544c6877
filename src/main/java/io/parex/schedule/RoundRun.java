package io.parex.schedule;

import java.util.BitSet;

/**
 * Runs the schedules in rounds of whole messages, at most one out and one in per rank and round: counts the rounds, and
 * who has, directly or not, heard of whose call when a rank is through.
 */
final class RoundRun {
    private final StepTable table;
    private final BitSet over = new BitSet();
    private final BitSet[] heard;
    private final int[] busyUntil;
    private int rounds;

    RoundRun(StepTable table) {
        this.table = table;
        this.heard = new BitSet[table.count()];
        this.busyUntil = new int[table.world().size()];
    }

    /** Rounds until all steps are over. */
    int run() {
        runLocalSteps();
        while (over.cardinality() < table.count()) {
            rounds++;
            BitSet delivered = deliverRound();
            if (delivered.isEmpty()) {
                int first = over.nextClearBit(0);
                throw new ScheduleFault("no order of whole steps runs the schedules; the first that waits forever is "
                        + table.describe(first));
            }
            delivered.stream().forEach(this::finish);
            runLocalSteps();
        }
        return rounds;
    }

    /** The ranks that have called by the time this rank is through. */
    BitSet heardBy(int rank) {
        BitSet all = new BitSet();
        all.set(rank);
        for (int id = 0; id < table.count(); id++) {
            if (table.rank(id) == rank && !table.isSend(id)) {
                all.or(heard[id]);
            }
        }
        return all;
    }

    private BitSet deliverRound() {
        BitSet delivered = new BitSet();
        BitSet sending = new BitSet();
        for (int id = 0; id < table.count(); id++) {
            int receive = table.partner(id);
            boolean free = table.isSend(id)
                    && !over.get(id)
                    && !sending.get(table.rank(id))
                    && busyUntil[table.rank(receive)] < rounds;
            if (free && ready(id) && ready(receive)) {
                sending.set(table.rank(id));
                busyUntil[table.rank(receive)] = rounds;
                delivered.set(receive);
            }
        }
        return delivered;
    }

    private void runLocalSteps() {
        for (int id = 0; id < table.count(); id++) {
            if (table.partner(id) == StepTable.NONE && !over.get(id) && ready(id)) {
                finish(id);
            }
        }
    }

    private void finish(int id) {
        heard[id] = gathered(id);
        over.set(id);
        int send = table.partner(id);
        if (send != StepTable.NONE) {
            over.set(send);
            heard[send] = gathered(send);
            heard[id].or(heard[send]);
        }
    }

    private BitSet gathered(int id) {
        BitSet ranks = new BitSet();
        ranks.set(table.rank(id));
        for (Edge edge : table.waits(id)) {
            int from = table.from(id, edge);
            if (!table.isSend(from)) {
                ranks.or(heard[from]);
            }
        }
        return ranks;
    }

    /** Waiting for a send's elements is waiting for their consumption one by one, in the same round. */
    private boolean ready(int id) {
        for (Edge edge : table.waits(id)) {
            int from = table.from(id, edge);
            if (!over.get(from) && (edge.whole() || !table.isSend(from))) {
                return false;
            }
        }
        return true;
    }
}
