package io.parex.bench;

import java.io.PrintWriter;

/** One JSON object a line and nothing else; the keys are a contract that scripts read. */
public final class JsonReport implements BenchListener {
    private static final int SCHEMA = 1;
    private static final double NANOS_PER_MICRO = 1e3;

    private final PrintWriter out;
    private final Environment environment;
    private final Timing timing;

    /** Prints to {@code out}. */
    public JsonReport(PrintWriter out, Environment environment, Timing timing) {
        this.out = out;
        this.environment = environment;
        this.timing = timing;
    }

    @Override
    public void started(Series series) {
        // the objects stand for themselves
    }

    @Override
    public void progress(String activity) {
        // only for people who wait
    }

    @Override
    public void measured(PointResult point) {
        Figures figures = point.figures();
        JsonObject json = new JsonObject()
                .put("schema", SCHEMA)
                .put("primitive", point.series().primitive().label())
                .put("algorithm", point.algorithm())
                .put("caller", point.series().caller().label())
                .put("root", point.root())
                .put("in_place", point.inPlace())
                .put("rounds", timing.rounds())
                .put("commit", environment.commit())
                .put("jdk", environment.jdk())
                .put("ranks", environment.ranks())
                .put("bytes", point.bytes())
                .put("dtype", point.typeLabel())
                .put("op", point.opLabel())
                .put("isolation", environment.isolation())
                .put("via", environment.via())
                .put("iterations", figures.calls())
                .put("us", figures.meanNanos() / NANOS_PER_MICRO)
                .put("min_us", figures.minNanos() / NANOS_PER_MICRO)
                .put("p99_us", figures.p99Nanos() / NANOS_PER_MICRO)
                .put("algbw_gbs", point.algbwGbs())
                .put("busbw_gbs", point.busbwGbs())
                .put("wrong", figures.wrong());
        out.println(json);
        out.flush();
    }

    @Override
    public void ended(Series series) {
        // the objects stand for themselves
    }
}
