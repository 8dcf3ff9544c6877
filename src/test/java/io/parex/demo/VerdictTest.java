package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final EpochResult REFERENCE = new EpochResult(1, 0.5, 0.96);

    @Test
    void shouldHoldAtTheBoundsAndNotBeyond() {
        assertTrue(new Verdict(0.95, List.of(0.0, 1e-4), 1e-4, true).held());
        assertFalse(new Verdict(Math.nextDown(0.95), List.of(0.0, 1e-4), 1e-4, true).held());
        assertFalse(new Verdict(0.95, List.of(Math.nextUp(1e-4), 0.0), 0, true).held());
        assertFalse(new Verdict(0.95, List.of(0.0), Math.nextUp(1e-4), true).held());
        assertFalse(new Verdict(0.95, List.of(0.0), 0, false).held());
    }

    @Test
    void shouldNotHoldWhenAnyDifferenceIsNotANumber() {
        assertFalse(new Verdict(1, List.of(0.0, Double.NaN, 0.0), 0, true).held());
        assertFalse(new Verdict(1, List.of(0.0, Double.POSITIVE_INFINITY), 0, true).held());
        assertFalse(new Verdict(1, List.of(0.0), Double.NaN, true).held());
    }

    @Test
    void shouldTakeTheLargerDifferenceOfLossAndAccuracy() {
        assertEquals(0, REFERENCE.difference(REFERENCE));
        assertEquals(0.5, new EpochResult(1, 0.75, 0.96).difference(REFERENCE));
        assertEquals(0.5, new EpochResult(1, 0.5, 0.48).difference(REFERENCE));
        assertEquals(1, new EpochResult(1, 0, 0.48).difference(REFERENCE));
        assertTrue(Double.isNaN(new EpochResult(1, Double.NaN, 0.96).difference(REFERENCE)));
    }

    @Test
    void shouldCompareEveryEpochAndParameter() {
        float[] parameters = {1, 2};
        List<Worker.Result> workers = List.of(new Worker.Result(parameters, List.of()));
        EpochResult off = new EpochResult(2, 0.75, 0.96);
        Training.Outcome outcome = new Training.Outcome(List.of(REFERENCE, off), workers);
        PlainTraining.Result plain = new PlainTraining.Result(List.of(REFERENCE, REFERENCE), new float[] {1, 4});
        assertEquals(new Verdict(0.96, List.of(0.0, 0.5), 0.5, true), Verdict.of(outcome, plain));
        PlainTraining.Result tooShort = new PlainTraining.Result(List.of(REFERENCE), parameters);
        assertThrows(IllegalArgumentException.class, () -> Verdict.of(outcome, tooShort));
    }
}
