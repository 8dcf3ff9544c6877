package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys, their order and what they mean are a contract. */
class JsonReportTest {
    static final List<String> KEYS = List.of(
            "schema",
            "primitive",
            "algorithm",
            "caller",
            "root",
            "in_place",
            "rounds",
            "commit",
            "jdk",
            "ranks",
            "bytes",
            "dtype",
            "op",
            "isolation",
            "via",
            "iterations",
            "us",
            "min_us",
            "p99_us",
            "algbw_gbs",
            "busbw_gbs",
            "wrong");

    private final StringWriter text = new StringWriter();
    private final JsonReport report = new JsonReport(
            new PrintWriter(text), new Environment("ab\"c\\1\n", "25", 4, "jvm", "fabric"), Timing.DEFAULT);

    @Test
    void shouldPrintTheContractsKeysInOneLine() {
        Series series = new Series(Primitive.ALL_REDUCE, null, CallerKind.LOOP);
        Figures figures = new Figures(20, 2_000, 1_500, 1_900, 4_000, 3);
        report.started(series);
        report.measured(new PointResult(series, "ring", -1, true, DataType.FLOAT32, ReduceOp.SUM, 1000, 4, figures));
        report.ended(series);

        assertEquals(1, text.toString().lines().count(), text.toString());
        JsonObject json = new JsonObject(text.toString());
        assertEquals(KEYS, List.copyOf(json.fieldNames()));
        assertEquals(
                new JsonObject()
                        .put("schema", 1)
                        .put("primitive", "all_reduce")
                        .put("algorithm", "ring")
                        .put("caller", "loop")
                        .put("root", -1)
                        .put("in_place", true)
                        .put("rounds", 3)
                        .put("commit", "ab\"c\\1\n")
                        .put("jdk", "25")
                        .put("ranks", 4)
                        .put("bytes", 4000)
                        .put("dtype", "float32")
                        .put("op", "sum")
                        .put("isolation", "jvm")
                        .put("via", "fabric")
                        .put("iterations", 20)
                        .put("us", 2.0)
                        .put("min_us", 1.5)
                        .put("p99_us", 4.0)
                        .put("algbw_gbs", 2.0)
                        .put("busbw_gbs", 3.0)
                        .put("wrong", 3),
                json);
    }

    @Test
    void shouldNameWhatABarrierHasNot() {
        Series series = new Series(Primitive.BARRIER, null, CallerKind.THREAD);
        Figures figures = new Figures(20, 2_000, 1_500, 1_900, 4_000, 0);
        report.measured(new PointResult(series, "dissemination", -1, false, null, null, 0, 4, figures));
        JsonObject json = new JsonObject(text.toString());
        assertEquals("none", json.getString("dtype"));
        assertEquals("none", json.getString("op"));
        assertEquals(0, json.getLong("bytes"));
        assertEquals(0.0, json.getDouble("busbw_gbs"));
    }
}
