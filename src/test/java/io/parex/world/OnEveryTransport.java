package io.parex.world;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of a {@link Harness.Factory} that runs on local links, over TCP, and on simulated networks: calm, rough, of
 * connections, and of connections that break.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest
@MethodSource("io.parex.world.OnEveryTransport$Transports#all")
@interface OnEveryTransport {

    /** The transports that exist. */
    final class Transports {
        private Transports() {}

        static Stream<Named<Harness.Factory>> all() {
            return Stream.concat(
                    quick(),
                    Stream.of(
                            Named.of("simulated, rough", Harness.Factory.ROUGH),
                            Named.of("connections, cut", Harness.Factory.CUTTING)));
        }

        /** Those whose messages take a fraction of a millisecond, for tests that look at the time. */
        static Stream<Named<Harness.Factory>> quick() {
            return Stream.of(
                    Named.of("local", Harness.Factory.LOCAL),
                    Named.of("TCP", Harness.Factory.TCP),
                    Named.of("simulated", Harness.Factory.CALM),
                    Named.of("connections", Harness.Factory.WIRED));
        }
    }
}
