package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DemoTest {
    private static final Recipe BRIEF = Recipe.STANDARD.withEpochs(3);
    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void shouldHoldAndPrintEpochsTablesAndPlaces() {
        Demo demo = new Demo(4, InProcessExchange.world(4), DEADLINE, places());
        assertEquals(0, run(demo), this::text);
        String text = text();
        for (int epoch = 1; epoch <= Recipe.STANDARD.epochs(); epoch++) {
            assertTrue(text.contains(" " + epoch + "/40 "), text);
        }
        assertTrue(text.contains("all_reduce       600         76840"), text);
        assertTrue(text.contains("metrics   http://localhost:9001/q/metrics"), text);
        assertTrue(text.endsWith("demo held" + System.lineSeparator()), text);
    }

    @Test
    void shouldNotHoldWhenGradientsAreSummedInsteadOfAveraged() {
        assertNotHeld("largest difference of an epoch", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            float[] combine(float[][] arrays) {
                return sum(arrays);
            }
        });
    }

    @Test
    void shouldNotHoldWhenGradientsAreNotExchanged() {
        assertNotHeld("last parameters of all workers", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            public void allReduceAverage(float[] gradients) {}
        });
    }

    @Test
    void shouldNotHoldWhenParametersAreNotBroadcast() {
        assertNotHeld("last parameters of all workers", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            public void broadcast(float[] parameters, int root) {}
        });
    }

    @Test
    void shouldNotHoldWhenOneRankIsLeftOutOfTheAverage() {
        assertNotHeld("largest difference of an epoch", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            float[] combine(float[][] arrays) {
                float[][] others = Arrays.copyOf(arrays, arrays.length - 1);
                return super.combine(others);
            }
        });
    }

    @Test
    void shouldNotHoldWhenTheLastGradientIsNotAveraged() {
        assertNotHeld("last parameters of all workers", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            float[] combine(float[][] arrays) {
                float[] average = super.combine(arrays);
                average[average.length - 1] = arrays[rank()][average.length - 1];
                return average;
            }
        });
    }

    /** The first parameter weighs a pixel that is blank in every digit, so no loss shows it. */
    @Test
    void shouldNotHoldWhenOnlyTheFirstGradientIsWrong() {
        assertNotHeld("difference of the last parameters", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            float[] combine(float[][] arrays) {
                float[] average = super.combine(arrays);
                average[0] += 1;
                return average;
            }
        });
    }

    @Test
    void shouldNotHoldWhenGradientsBecomeNotANumber() {
        assertNotHeld("largest difference of an epoch", (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            float[] combine(float[][] arrays) {
                float[] average = super.combine(arrays);
                average[average.length - 1] = Float.NaN;
                return average;
            }
        });
    }

    @Test
    void shouldEndWithTheFirstErrorWhenOneExchangeFails() {
        AtomicInteger calls = new AtomicInteger();
        InProcessExchange.Kind failing = (table, rank) -> new InProcessExchange(table, rank) {
            @Override
            public void allReduceAverage(float[] gradients) {
                if (rank() == 2 && calls.incrementAndGet() == 20) {
                    throw new ParexException(ErrorKind.PEER_FAILED, "planted");
                }
                super.allReduceAverage(gradients);
            }
        };
        assertFails("the worker of rank 2 failed: planted", InProcessExchange.world(4, failing), DEADLINE);
    }

    @Test
    void shouldEndWhenAWorkerCannotConnect() {
        IntFunction<Exchange> world = InProcessExchange.world(4);
        IntFunction<Exchange> missing = rank -> {
            if (rank == 3) {
                throw new IllegalStateException("no route");
            }
            return world.apply(rank);
        };
        assertFails("the worker of rank 3 failed: java.lang.IllegalStateException: no route", missing, DEADLINE);
    }

    @Test
    void shouldEndAtTheDeadlineWhenAWorkerNeverArrives() {
        // The meeting of five is never complete, as if the fifth had not come.
        assertFails("4 of 4 workers had not ended", InProcessExchange.world(5), Duration.ofMillis(200));
    }

    @Test
    void shouldEndWhenTheCallerIsInterrupted() {
        Thread.currentThread().interrupt();
        assertFails("interrupted", InProcessExchange.world(4), DEADLINE);
        assertTrue(Thread.interrupted());
    }

    @Test
    void shouldRefuseWorkersThatCannotShareAStep() {
        assertThrows(ParexException.class, () -> new Demo(5, InProcessExchange.world(5), DEADLINE, places()));
    }

    /** A brief training of a broken world: the check named must be the one that does not hold. */
    private void assertNotHeld(String check, InProcessExchange.Kind broken) {
        assertEquals(1, run(new Demo(BRIEF, 4, InProcessExchange.world(4, broken), DEADLINE, places())));
        assertTrue(text().endsWith("demo did NOT hold" + System.lineSeparator()), this::text);
        String row = text().lines()
                .filter(line -> line.startsWith(check))
                .findFirst()
                .orElseThrow();
        assertTrue(row.endsWith("NO"), row);
    }

    private void assertFails(String message, IntFunction<Exchange> connect, Duration deadline) {
        Demo demo = new Demo(BRIEF, 4, connect, deadline, places());
        assertEquals(1, run(demo));
        assertTrue(text().contains("demo failed: " + message), this::text);
    }

    private int run(Demo demo) {
        return demo.run(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static SequencedMap<String, String> places() {
        SequencedMap<String, String> places = new LinkedHashMap<>();
        places.put("metrics", "http://localhost:9001/q/metrics");
        return places;
    }
}
