package io.parex.bench;

/** Hears of a run as it goes on; called on the thread that runs it. */
public interface BenchListener {

    /** A table begins. */
    void started(Series series);

    /** What is being done now, for people who wait. */
    void progress(String activity);

    /** A row. */
    void measured(PointResult point);

    /** The table that was started is complete. */
    void ended(Series series);
}
