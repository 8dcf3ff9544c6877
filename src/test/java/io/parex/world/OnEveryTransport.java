package io.parex.world;

import io.parex.simulator.Simulation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of a {@link Harness.Factory} that runs on local links, on a calm simulated network and on a rough one. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@MethodSource("io.parex.world.OnEveryTransport$Transports#all")
@interface OnEveryTransport {

    /** The transports that exist. */
    final class Transports {
        private static final long SEED = Long.getLong("parex.seed", 1);

        private Transports() {}

        static Stream<Named<Harness.Factory>> all() {
            return Stream.of(
                    Named.of("local", LocalHarness::new),
                    Named.of(
                            "simulated",
                            (size, options) -> new SimulatedHarness(size, options, SEED, Simulation.Weather.CALM)),
                    Named.of(
                            "simulated, rough",
                            (size, options) -> new SimulatedHarness(size, options, SEED, Simulation.Weather.ROUGH)));
        }
    }
}
