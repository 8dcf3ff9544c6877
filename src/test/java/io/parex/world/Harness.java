package io.parex.world;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** A world under test, on real loops or simulated ones. Closing it checks that nothing was leaked. */
interface Harness extends AutoCloseable {

    /** Starts worlds for a test. */
    interface Factory {
        Harness start(int size, WorldOptions options);

        default Harness start(int size) {
            return start(size, WorldOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(20)));
        }
    }

    List<World> worlds();

    default ProcessGroup group(int rank) {
        return worlds().get(rank).group();
    }

    default int size() {
        return worlds().size();
    }

    /** Runs {@code task} as a caller would, after a delay. */
    void after(Duration delay, Runnable task);

    /** Lets {@code delay} pass. */
    void pass(Duration delay);

    /** Waits until all are done, well or not; fails if that takes unreasonably long. */
    void settle(Collection<Work> works);

    /** Waits for one operation and gives its outcome or throws its failure. */
    default Completion await(Work work) {
        settle(List.of(work));
        return work.await();
    }

    /** The harness's clock. */
    long nanoTime();

    @Override
    void close();
}
