package io.parex.schedule;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Words for a run that cannot go on: who waits for whom. */
final class Standstill {
    private static final int NAMED = 8;

    private final StepTable table;
    private final long[] done;
    private final BitSet over;

    Standstill(StepTable table, long[] done, BitSet over) {
        this.table = table;
        this.done = done;
        this.over = over;
    }

    /** The first waiting steps, one a line. */
    String describe() {
        List<String> lines = new ArrayList<>();
        for (int id = over.nextClearBit(0); id < table.count(); id = over.nextClearBit(id + 1)) {
            lines.add(table.describe(id) + " is at " + done[id] + " of "
                    + table.step(id).length() + reasons(id));
        }
        String rest = lines.size() > NAMED ? "\n  and " + (lines.size() - NAMED) + " more" : "";
        return "deadlock:\n  " + String.join("\n  ", lines.subList(0, Math.min(NAMED, lines.size()))) + rest;
    }

    private String reasons(int id) {
        List<String> reasons = new ArrayList<>();
        for (Edge edge : table.waits(id)) {
            int from = table.from(id, edge);
            if (edge.limit(done[from], over.get(from)) <= done[id] && !over.get(from)) {
                reasons.add("step " + edge.from());
            }
        }
        if (table.partner(id) != StepTable.NONE) {
            reasons.add("rank " + table.rank(table.partner(id)));
        }
        return reasons.isEmpty() ? "" : ", waits for " + String.join(", ", reasons);
    }
}
