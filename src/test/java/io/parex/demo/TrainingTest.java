package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingTest {
    private static final Recipe RECIPE = Recipe.STANDARD;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final Digits.Split DIGITS = RECIPE.digits();
    private static PlainTraining.Result reference;

    @BeforeAll
    static void trainPlainly() {
        reference = PlainTraining.run(RECIPE, DIGITS);
    }

    /** A tenth of what the demo allows: another order of summation must not bring it near the bound. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldTellTheSameStoryAsThePlainLoop(int size) {
        Training.Outcome outcome = train(RECIPE, size);
        Verdict verdict = Verdict.of(outcome, reference);
        assertEquals(RECIPE.epochs(), verdict.differences().size());
        assertTrue(verdict.largestDifference() <= Verdict.MAX_DIFFERENCE / 10, () -> verdict.toString());
        assertTrue(verdict.parameterDifference() <= Verdict.MAX_DIFFERENCE / 10, () -> verdict.toString());
        assertTrue(verdict.accuracy() >= 0.97, () -> verdict.toString());
        assertTrue(outcome.parametersEqual());
    }

    @Test
    void shouldEqualThePlainLoopExactlyWithOneWorker() {
        Recipe brief = RECIPE.withEpochs(3);
        assertEquals(PlainTraining.run(brief, DIGITS).epochs(), train(brief, 1).epochs());
    }

    @Test
    void shouldLearn() {
        assertTrue(reference.epochs().getFirst().loss()
                > 5 * reference.epochs().getLast().loss());
        assertTrue(reference.epochs().getLast().accuracy() >= 0.97);
    }

    @Test
    void shouldCountTheCallsOfEveryWorker() {
        Recipe brief = RECIPE.withEpochs(2);
        for (Worker.Result worker : train(brief, 4).workers()) {
            List<PrimitiveTime> times = worker.times();
            long bytes = 4L * (64 * 256 + 256 + 10 * 256 + 10);
            assertEquals(
                    List.of("broadcast", "all_reduce", "barrier"),
                    times.stream().map(PrimitiveTime::primitive).toList());
            assertEquals(
                    List.of(1L, 30L, 2L),
                    times.stream().map(PrimitiveTime::count).toList());
            assertEquals(
                    List.of(bytes, bytes, 0L),
                    times.stream().map(PrimitiveTime::meanBytes).toList());
        }
    }

    @Test
    void shouldReportEveryEpochInOrder() {
        Recipe brief = RECIPE.withEpochs(4);
        List<EpochBoard.Progress> heard = new ArrayList<>();
        Training.Outcome outcome = new Training(brief, 4, DEADLINE).run(DIGITS, InProcessExchange.world(4), heard::add);
        assertEquals(
                outcome.epochs(),
                heard.stream().map(EpochBoard.Progress::result).toList());
        assertEquals(
                List.of(1, 2, 3, 4),
                outcome.epochs().stream().map(EpochResult::epoch).toList());
        assertTrue(heard.stream().allMatch(progress -> progress.busbwGBs() > 0));
    }

    @Test
    void shouldSeeOneBitOfDifferenceBetweenWorkers() {
        Training.Outcome outcome = train(RECIPE.withEpochs(1), 2);
        float[] parameters = outcome.workers().getLast().parameters();
        int last = parameters.length - 1;
        parameters[last] = Float.intBitsToFloat(Float.floatToRawIntBits(parameters[last]) ^ 1);
        assertFalse(outcome.parametersEqual());
    }

    private static Training.Outcome train(Recipe recipe, int size) {
        return new Training(recipe, size, DEADLINE).run(DIGITS, InProcessExchange.world(size), progress -> {});
    }
}
