package io.parex.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parex.schedule.Primitive;
import io.parex.world.CallRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The meters of one primitive on one rank, resolved once: recording an operation touches arrays and counters only.
 *
 * <p>All series of a primitive appear together with its first operation, so that later sizes add none and rates start
 * from zero; a primitive that a job never calls costs nothing. Only histograms of failures appear one by one: there are
 * twelve kinds of failure, and most never happen. Owner loop only.
 */
final class PrimitiveMeters {
    private final MeterRegistry registry;
    private final String primitive;
    private final String rank;
    private final Timer[][] durations = new Timer[SizeClasses.COUNT][Outcomes.COUNT];
    private final Counter[] busBytes = new Counter[SizeClasses.COUNT];
    private final Map<String, Counter[]> operations = new HashMap<>();
    private final Counter bytes;
    private final Timer wait;

    PrimitiveMeters(MeterRegistry registry, Primitive primitive, String rank) {
        this.registry = registry;
        this.primitive = primitive.label();
        this.rank = rank;
        bytes = counter(MeterNames.OPERATION_BYTES, this.primitive, rank);
        wait = timer(MeterNames.OPERATION_WAIT, this.primitive, rank);
        int sizes = primitive == Primitive.BARRIER ? 1 : SizeClasses.COUNT;
        for (int size = 0; size < sizes; size++) {
            durations[size][Outcomes.OK] = duration(size, Outcomes.OK);
            busBytes[size] = counter(MeterNames.OPERATION_BUS_BYTES, this.primitive, SizeClasses.label(size), rank);
        }
    }

    /** Counts an operation that has ended. */
    void record(CallRecord call) {
        int size = SizeClasses.of(call.bytes());
        int outcome = Outcomes.of(call.outcome());
        Timer duration = durations[size][outcome];
        if (duration == null) {
            duration = duration(size, outcome);
            durations[size][outcome] = duration;
        }
        duration.record(call.durationNanos(), TimeUnit.NANOSECONDS);
        operations(call.algorithm())[outcome].increment();
        if (outcome == Outcomes.OK) {
            bytes.increment(call.bytes());
            busBytes[size].increment(call.bytes() * call.primitive().busFactor(call.size()));
            wait.record(call.waitNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private Counter[] operations(String algorithm) {
        Counter[] known = operations.get(algorithm);
        return known == null ? newOperations(algorithm) : known;
    }

    private Counter[] newOperations(String algorithm) {
        Counter[] counters = new Counter[Outcomes.COUNT];
        for (int outcome = 0; outcome < counters.length; outcome++) {
            counters[outcome] = counter(MeterNames.OPERATIONS, primitive, algorithm, Outcomes.label(outcome), rank);
        }
        operations.put(algorithm, counters);
        return counters;
    }

    private Timer duration(int size, int outcome) {
        return timer(MeterNames.OPERATION_DURATION, primitive, SizeClasses.label(size), Outcomes.label(outcome), rank);
    }

    private Timer timer(MeterNames name, String... labels) {
        return Timer.builder(name.meter())
                .description(name.meaning())
                .tags(name.tags(labels))
                .serviceLevelObjectives(DurationBuckets.bounds())
                .register(registry);
    }

    private Counter counter(MeterNames name, String... labels) {
        return Counter.builder(name.meter())
                .description(name.meaning())
                .baseUnit(name.baseUnit())
                .tags(name.tags(labels))
                .register(registry);
    }
}
