package io.parex.transport;

import io.parex.simulator.Simulation;
import java.time.Duration;
import java.util.stream.IntStream;

/** The contract of {@link Link} over simulated connections. */
class SimulatedConnectionTest extends ConnectionLinkContract {
    private static final long POOL_BYTES = 1 << 20;

    private Simulation simulation;

    @Override
    protected Network[] join(int size) {
        simulation = new Simulation(size, Long.getLong("parex.seed", 1), Simulation.Weather.WIRED, POOL_BYTES);
        return IntStream.range(0, size).mapToObj(simulation::network).toArray(Network[]::new);
    }

    @Override
    protected void settle() {
        // Longer than a thousand frames take that each stall the link.
        simulation.run(Duration.ofMinutes(2).toNanos());
    }

    @Override
    protected void leave() {
        // Nothing outlives the simulation.
    }
}
