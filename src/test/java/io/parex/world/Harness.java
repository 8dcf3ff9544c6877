package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.simulator.Simulation;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.IntStream;

/** A world under test, on real loops or simulated ones. Closing it checks that nothing was leaked. */
interface Harness extends AutoCloseable {

    /** Starts worlds for a test. */
    interface Factory {
        /** Real event loops, joined by local links. */
        Factory LOCAL = LocalHarness::local;

        /** Real event loops and real sockets, one fabric for each rank. */
        Factory TCP = LocalHarness::tcp;

        /** A quick simulated network. */
        Factory CALM = simulated(Simulation.Weather.CALM);

        /** A simulated network with delays and stalls. */
        Factory ROUGH = simulated(Simulation.Weather.ROUGH);

        /** Connections that carry bytes. */
        Factory WIRED = simulated(Simulation.Weather.WIRED);

        /** Connections with delays and stalls that break all the time. */
        Factory CUTTING = simulated(Simulation.Weather.CUTTING);

        Harness start(int size, WorldOptions options);

        default Harness start(int size) {
            return start(size, WorldOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(20)));
        }

        private static Factory simulated(Simulation.Weather weather) {
            return (size, options) -> new SimulatedHarness(size, options, Long.getLong("parex.seed", 1), weather);
        }
    }

    List<World> worlds();

    /** Whether a receiver reads the memory of the sender itself. */
    boolean sharesMemory();

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

    /** Lets time pass until {@code condition} holds, 10 s at most. */
    default void passUntil(BooleanSupplier condition, String otherwise) {
        for (int i = 0; i < 1000 && !condition.getAsBoolean(); i++) {
            pass(Duration.ofMillis(10));
        }
        assertTrue(condition.getAsBoolean(), otherwise);
    }

    /** Waits until all are done, well or not; fails if that takes unreasonably long. */
    void settle(Collection<Work> works);

    /** Waits for one operation and gives its outcome or throws its failure. */
    default Completion await(Work work) {
        settle(List.of(work));
        return work.await();
    }

    /** Waits for one operation, which must fail, and gives its failure. */
    default ParexException failure(Work work) {
        return assertThrows(ParexException.class, () -> await(work));
    }

    /** Waits for one operation, which must fail with this kind; gives the message. */
    default String failure(ErrorKind kind, Work work) {
        ParexException failure = failure(work);
        assertEquals(kind, failure.kind(), failure.getMessage());
        return failure.getMessage();
    }

    /** Starts an operation on every rank, in the order of the ranks. */
    default List<Work> onAll(Function<ProcessGroup, Work> call) {
        return IntStream.range(0, size())
                .mapToObj(rank -> call.apply(group(rank)))
                .toList();
    }

    /** Waits until all are done; all must have ended well. */
    default void succeed(Collection<Work> works) {
        settle(works);
        works.forEach(Work::await);
    }

    /** Shows that the group works by a barrier. */
    default void assertUsable() {
        succeed(onAll(group -> group.barrier(CallOptions.DEFAULT)));
    }

    /** The harness's clock. */
    long nanoTime();

    @Override
    void close();
}
