package io.parex.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.parex.world.World;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/** Connects every rank that this process hosts to the registry behind {@code /q/metrics}. */
@Singleton
public class MetricsBinder {
    private final MeterRegistry registry;

    /** Given the registry by the container. */
    public MetricsBinder(MeterRegistry registry) {
        this.registry = registry;
    }

    /** A rank is hosted; whoever hosts it fires it as an event, since the layers do not let telemetry ask. */
    void bind(@Observes World world) {
        WorldMeters.bind(world, registry);
    }
}
