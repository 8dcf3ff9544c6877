/**
 * What the outside sees of running ranks: {@link io.parex.telemetry.MeterNames} is the table of all meters,
 * {@link io.parex.telemetry.WorldMeters} keeps those of one rank, {@link io.parex.telemetry.MetricsBinder} connects
 * hosted ranks to the registry that {@code /q/metrics} shows.
 *
 * <p>May use {@code world}, {@code schedule} and {@code tensor}, Micrometer and CDI. Calls are counted on the rank's
 * owner loop, gauges are read on the thread that scrapes.
 */
package io.parex.telemetry;
