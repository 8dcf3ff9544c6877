package io.parex.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/** Which elements of which steps must be through before a given one, by edges and messages alone. */
final class ElementCausality {

    /** The work on one element; of a send, its consumption by the peer. */
    record Work(int step, long element) {}

    private final StepTable table;

    ElementCausality(WorldSchedules world) {
        this.table = new StepTable(world);
    }

    /** Whether everything that conflicts in two steps of a rank is in order even without an edge between them. */
    boolean ordersAllConflicts(int rank, int earlier, int later) {
        int from = number(rank, earlier);
        int to = number(rank, later);
        Aliasing aliasing = table.world().problem(rank).aliasing();
        for (long element = 0; element < table.step(to).length(); element++) {
            Set<Work> before = before(new Work(to, element));
            for (long other = 0; other < table.step(from).length(); other++) {
                boolean conflict = Conflicts.between(aliasing, table.step(from), other, table.step(to), element);
                if (conflict && !before.contains(new Work(from, other))) {
                    return false;
                }
            }
        }
        return true;
    }

    private int number(int rank, int index) {
        for (int id = 0; id < table.count(); id++) {
            if (table.rank(id) == rank && table.index(id) == index) {
                return id;
            }
        }
        throw new AssertionError("rank " + rank + " has no step " + index);
    }

    /** A send may read an element as soon as its own waits allow, long before the peer consumes it. */
    private Set<Work> before(Work work) {
        Set<Work> seen = new HashSet<>();
        Deque<Work> pending = new ArrayDeque<>();
        if (table.isSend(work.step())) {
            addWaits(work.step(), work.element(), pending);
        } else {
            pending.add(work);
        }
        while (!pending.isEmpty()) {
            Work next = pending.pop();
            if (seen.add(next)) {
                addCauses(next, pending);
            }
        }
        return seen;
    }

    private void addCauses(Work work, Deque<Work> causes) {
        int partner = table.partner(work.step());
        if (work.element() > 0) {
            causes.add(new Work(work.step(), work.element() - 1));
        }
        if (partner != StepTable.NONE && !table.isSend(partner)) {
            causes.add(new Work(partner, work.element()));
            return;
        }
        addWaits(work.step(), work.element(), causes);
        if (partner != StepTable.NONE) {
            addWaits(partner, work.element(), causes);
            causes.add(new Work(partner, work.element()));
        }
    }

    private void addWaits(int step, long element, Deque<Work> causes) {
        for (Edge edge : table.waits(step)) {
            int from = table.from(step, edge);
            long length = table.step(from).length();
            long needed = edge.whole() ? length : Math.min(length, element + 1 - edge.shift());
            if (needed > 0) {
                causes.add(new Work(from, needed - 1));
            }
        }
    }
}
