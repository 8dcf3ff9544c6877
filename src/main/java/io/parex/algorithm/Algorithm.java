package io.parex.algorithm;

import io.parex.schedule.Primitive;
import io.parex.schedule.Problem;
import io.parex.schedule.Schedule;

/** A pure function from a problem to a schedule; same problem, same schedule. */
public interface Algorithm {

    /** What it computes; the v-form, too, if there is one. */
    Primitive primitive();

    /** Its name within the primitive, such as {@code ring}, as on the command line and in metrics. */
    String name();

    /**
     * Whether every element is reduced in one order, {@code ((0 + 1) + 2) + ...} by rank, so that all such algorithms
     * give the same bits for any size and count.
     */
    default boolean inRankOrder() {
        return false;
    }

    /**
     * Whether it runs {@code asked}, its primitive or the v-form, for a group of {@code size} ranks, whatever the count
     * and the blocks are.
     */
    default boolean handles(Primitive asked, int size) {
        return true;
    }

    /** Whether its schedules differ by which ranks share a host. */
    default boolean looksAtHosts() {
        return false;
    }

    /** The closed formula of its cost. */
    Effort effort(Shape shape);

    /** The steps of one rank, for a problem that it handles. */
    Schedule schedule(Problem problem);
}
