package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The log of calls that wait: one line per group and interval, about the oldest. */
class WaitLogTest {
    private static final WorldOptions OPTIONS =
            WorldOptions.DEFAULT.withWarnAfter(Duration.ofSeconds(5)).withCallTimeout(Duration.ofSeconds(120));

    private final List<String> warnings = new ArrayList<>();
    private final Logger logger = Logger.getLogger(WaitLog.class.getName());
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord entry) {
            warnings.add(MessageFormat.format(entry.getMessage(), entry.getParameters()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    @Test
    void shouldWarnOncePerIntervalOfALateRank() {
        try (Harness world = Harness.Factory.CALM.start(3, OPTIONS)) {
            List<Work> works = new ArrayList<>();
            works.add(world.group(1).barrier(CallOptions.DEFAULT));
            works.add(world.group(2).barrier(CallOptions.DEFAULT));
            world.pass(Duration.ofSeconds(44));
            works.add(world.group(0).barrier(CallOptions.DEFAULT));
            world.succeed(works);
        }
        // After 5, 10, ... 40 s, on each of the two that wait.
        assertEquals(16, warnings.size(), warnings::toString);
        assertTrue(warnings.stream().allMatch(text -> text.contains("missing=[0]")), warnings::toString);
        assertTrue(
                warnings.contains("rank 1: calls that wait on group world: 1; the oldest, #0 barrier(algorithm "
                        + "dissemination), has waited 5.0 s: missing=[0] have not called (rank 0: has made no call on "
                        + "the group)"),
                warnings::toString);
    }

    @Test
    void shouldWriteOneLineHoweverManyCallsWait() {
        try (Harness world = Harness.Factory.CALM.start(2, OPTIONS)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < Limits.CALLS_IN_FLIGHT; i++) {
                works.add(world.group(1).barrier(CallOptions.DEFAULT));
                world.pass(Duration.ofMillis(2));
            }
            world.pass(Duration.ofSeconds(9));
            for (int i = 0; i < Limits.CALLS_IN_FLIGHT; i++) {
                works.add(world.group(0).barrier(CallOptions.DEFAULT));
            }
            world.succeed(works);
        }
        // The last one has waited 9 s by then, the first 11 s.
        assertEquals(2, warnings.size(), warnings::toString);
        String line = warnings.getLast();
        assertTrue(line.startsWith("rank 1: calls that wait on group world: 1024; the oldest, #0 barrier("), line);
        assertTrue(line.contains(", has waited 10.0 s: missing=[0] have not called"), line);
    }

    @Test
    void shouldWarnOfACallThatIsTheOldestOnlyNow() {
        try (Harness world = Harness.Factory.CALM.start(2, OPTIONS)) {
            Work first = world.group(1).barrier(CallOptions.DEFAULT);
            world.pass(Duration.ofSeconds(3));
            Work second = world.group(1).barrier(CallOptions.DEFAULT);
            world.pass(Duration.ofSeconds(1));
            world.succeed(List.of(first, world.group(0).barrier(CallOptions.DEFAULT)));
            world.pass(Duration.ofMillis(3_900));
            assertEquals(List.of(), warnings);
            world.pass(Duration.ofMillis(200));
            assertEquals(1, warnings.size());
            assertTrue(
                    warnings.getFirst()
                            .contains("(rank 0: last call #0 barrier(algorithm dissemination), ended 4.0 s "),
                    warnings.getFirst());
            world.succeed(List.of(second, world.group(0).barrier(CallOptions.DEFAULT)));
            world.pass(Duration.ofSeconds(20));
            assertEquals(1, warnings.size());
        }
    }

    /** Nobody is missing, but one rank does not drain its output. */
    @Test
    void shouldSayWhatThoseDoThatAreWaitedFor() {
        try (Harness world = Harness.Factory.CALM.start(2, OPTIONS)) {
            TensorStream output =
                    TensorStream.through(Tensors.zeros(DataType.UINT8, 1000).segment(), DataType.UINT8, 200_000);
            Work root = world.group(0).broadcast(Tensors.pattern(200_000, 1), 0, CallOptions.DEFAULT);
            world.group(1).submit(Call.broadcast(output, 0, false, CallOptions.DEFAULT));
            world.pass(Duration.ofSeconds(6));
            String line = warnings.stream()
                    .filter(text -> text.startsWith("rank 0"))
                    .findFirst()
                    .orElseThrow();
            assertTrue(
                    line.contains(
                            ": no member is known to be missing; waiting for data of ranks [1] (rank 1: last call "
                                    + "#0 broadcast("),
                    line);
            assertTrue(line.endsWith("running for 5.0 s)"), line);
            root.cancel("enough");
            world.settle(List.of(root));
        }
    }
}
