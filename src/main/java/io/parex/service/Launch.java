package io.parex.service;

import io.parex.ParexException;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import java.util.List;

/**
 * Operations that start at once when their turn comes: one, or a batch.
 *
 * @param edge whose gates their collectives pass
 * @param party that makes the calls
 * @param operations one, or several point-to-point operations of one group
 */
record Launch(Edge edge, Party party, List<Operation> operations) {

    /** Submits those that were not cancelled meanwhile; tells each operation how that went. Any thread, once. */
    void run() {
        List<Operation> live = operations.size() == 1 && operations.getFirst().claim()
                ? operations
                : operations.stream().filter(Operation::claim).toList();
        if (live.isEmpty()) {
            return;
        }
        List<Work> works;
        try {
            works = submit(live);
        } catch (RuntimeException e) {
            RuntimeException told = e instanceof ParexException known ? known.asRefused() : e;
            live.forEach(operation -> operation.refused(told));
            return;
        }
        for (int i = 0; i < works.size(); i++) {
            live.get(i).submitted(works.get(i));
        }
    }

    private List<Work> submit(List<Operation> live) {
        CallPlan plan = live.getFirst().plan();
        ProcessGroup group = plan.group();
        if (plan.isCollective()) {
            edge.lostClients().found(plan.rank());
            edge.lostClients().check(group);
            edge.gate().enter(party, plan);
            Operation only = live.getFirst();
            if (only.lack() != null) {
                return List.of(group.giveUp(
                        only.call(), only.lack().kind(), only.lack().getMessage()));
            }
        }
        if (plan.isCollective()) {
            return List.of(group.submitOrGiveUp(live.getFirst().call()));
        }
        return live.size() == 1
                ? List.of(group.submit(live.getFirst().call()))
                : group.submit(live.stream().map(Operation::call).toList());
    }
}
