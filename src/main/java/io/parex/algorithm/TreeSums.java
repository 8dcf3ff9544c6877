package io.parex.algorithm;

import io.parex.schedule.ScheduleBuilder;
import io.parex.schedule.Slice;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * How sums climb any tree: a rank adds what its children send, one after the other, and sends the sum to its parent.
 */
final class TreeSums {
    private final ScheduleBuilder builder;
    private final IntPredicate hasChildren;

    /**
     * Sums in one tree.
     *
     * @param hasChildren whether a child has children itself, and so sends partial results
     */
    TreeSums(ScheduleBuilder builder, IntPredicate hasChildren) {
        this.builder = builder;
        this.hasChildren = hasChildren;
    }

    /**
     * Adds the steps of a rank in a tree of two or more.
     *
     * @param children in the order in which they are added
     * @param parent negative for the root
     * @param output where the root puts the sum
     */
    void up(List<Integer> children, int parent, Slice input, Slice output) {
        Slice sum = input;
        for (int index = 0; index < children.size(); index++) {
            int child = children.get(index);
            boolean last = parent < 0 && index == children.size() - 1;
            Slice partial = index == 0 && !last ? new Slice(builder.scratch(input.length()), 0, input.length()) : sum;
            Slice target = last ? output : partial;
            builder.recvReduce(child, sum, target, hasChildren.test(child));
            sum = target;
        }
        if (parent >= 0) {
            builder.send(parent, sum);
        }
    }
}
