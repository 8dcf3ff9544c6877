package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import io.parex.simulator.Simulation;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random programs in rough weather, and what must hold of them whatever goes wrong. A failure names its seed;
 * {@code -Dparex.seed=N} runs that program alone, step by step the same.
 */
class SimulatedWorldFuzzTest {
    private static final int BLOCK = 50;

    static LongStream blocks() {
        return LongStream.range(0, 8).map(block -> block * BLOCK);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("blocks")
    void shouldKeepItsPromises(long first) {
        runSeeds(first, Simulation.Weather.ROUGH);
    }

    @ParameterizedTest(name = "seeds from {0}")
    @MethodSource("blocks")
    void shouldKeepItsPromisesOverConnectionsThatBreak(long first) {
        runSeeds(first, Simulation.Weather.CUTTING);
    }

    private static void runSeeds(long first, Simulation.Weather weather) {
        Long wanted = Long.getLong("parex.seed");
        if (wanted == null) {
            LongStream.range(first, first + BLOCK).forEach(seed -> run(seed, weather, UnaryOperator.identity()));
        } else if (first == 0) {
            run(wanted, weather, UnaryOperator.identity());
        }
    }

    @Test
    void shouldRepeatARunExactly() {
        for (long seed = 0; seed < 10; seed++) {
            assertEquals(outcomes(seed), outcomes(seed), "seed " + seed);
        }
    }

    private static String outcomes(long seed) {
        FuzzRun run = new FuzzRun(FuzzGenerator.program(seed), Simulation.Weather.ROUGH);
        run.run();
        String calls = IntStream.range(0, run.program().size())
                .mapToObj(rank -> run.calls(rank).toString())
                .collect(Collectors.joining("\n"));
        return calls + run.operations();
    }

    private static void run(long seed, Simulation.Weather weather, UnaryOperator<Frame> tampering) {
        FuzzProgram program = FuzzGenerator.program(seed);
        FuzzRun run = new FuzzRun(program, weather);
        try {
            run.world().simulation().tamper(tampering);
            run.run();
            new FuzzCallChecks(run).check();
            new FuzzMessageChecks(run).check();
            run.world().close();
        } catch (AssertionError e) {
            throw new AssertionError("replay with -Dparex.seed=" + seed + ": " + e.getMessage() + "\n" + program, e);
        }
    }

    /** A checker that cannot fail proves nothing: these networks break their word. */
    @Test
    void shouldNoticeAFlippedBit() {
        assertNoticed(frame -> frame instanceof Frame.Data data ? flipped(data) : frame);
    }

    @Test
    void shouldNoticeALostNotice() {
        assertNoticed(frame -> frame instanceof Frame.Fail ? null : frame);
    }

    @Test
    void shouldNoticeAMessageWithAnotherTag() {
        assertNoticed(frame -> frame
                        instanceof
                        Frame.Envelope(
                                long group,
                                int tag,
                                long ticket,
                                long transfer,
                                var type,
                                long count,
                                long eager)
                ? new Frame.Envelope(group, tag + 1, ticket, transfer, type, count, eager)
                : frame);
    }

    private static void assertNoticed(UnaryOperator<Frame> fault) {
        AssertionError noticed = assertThrows(
                AssertionError.class,
                () -> LongStream.range(0, BLOCK).forEach(seed -> run(seed, Simulation.Weather.ROUGH, fault)));
        assertTrue(noticed.getMessage().startsWith("replay with -Dparex.seed="), noticed.getMessage());
    }

    private static Frame.Data flipped(Frame.Data data) {
        MemorySegment bytes = data.payload().segment();
        TensorView copy = Tensors.pattern(bytes.byteSize(), 0);
        copy.segment().copyFrom(bytes);
        copy.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) (copy.segment().get(ValueLayout.JAVA_BYTE, 0) ^ 1));
        if (!data.payload().isLent()) {
            bytes.copyFrom(copy.segment());
            return data;
        }
        return new Frame.Data(data.transfer(), data.offset(), Payload.lent(copy.segment()), data.last());
    }
}
