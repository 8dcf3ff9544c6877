package io.parex.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;

/** A registry as each process has one. Micrometer has a newer Prometheus client, but Quarkus ships this one. */
@SuppressWarnings("deprecation")
final class Pod {
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    MeterRegistry registry() {
        return registry;
    }

    String scrape() {
        return registry.scrape();
    }
}
