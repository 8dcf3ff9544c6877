package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.bench.CallerKind;
import io.parex.bench.Series;
import io.parex.bench.TableReport;
import io.parex.schedule.Primitive;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private static final String CLEAR = "\r\u001b[K";

    @Test
    void shouldClearTheLineBeforeEachResult() {
        StringWriter both = new StringWriter(); // as on a terminal that shows standard output and standard error
        PrintWriter terminal = new PrintWriter(both);
        ProgressLine line = new ProgressLine(terminal, new TableReport(terminal));
        line.progress("warming up");
        line.progress("round 1 of 3");
        line.ended(new Series(Primitive.BARRIER, null, CallerKind.LOOP));
        assertEquals(
                CLEAR + "warming up" + CLEAR + "round 1 of 3" + CLEAR
                        + "# Out of bounds values : 0 OK\n# Avg bus bandwidth    : 0.00000\n",
                both.toString());
    }
}
