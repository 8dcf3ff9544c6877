package io.parex.algorithm;

import io.parex.schedule.Primitive;
import io.parex.schedule.Schedule;

/** A pure function from a problem to a schedule; same problem, same schedule. */
public interface Algorithm {

    /** What it computes. */
    Primitive primitive();

    /** Its name within the primitive, such as {@code ring}, as on the command line and in metrics. */
    String name();

    /** The steps of one rank. */
    Schedule schedule(Problem problem);
}
