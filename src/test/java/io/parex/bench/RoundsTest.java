package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void shouldTakeTheSlowestRanksMean() {
        Batch batch = new Batch(List.of(new long[] {0, 10, 20}, new long[] {100, 105, 150}));
        assertEquals(2, batch.calls());
        assertEquals(25, batch.meanNanos());
    }

    @Test
    void shouldTakeTheSingleCallsOfTheSlowestRank() {
        Batch batch = new Batch(List.of(new long[] {0, 40, 42}, new long[] {100, 105, 150}));
        assertEquals(List.of(5.0, 45.0), boxed(batch.singleNanos(1)));
        assertEquals(List.of(25.0), boxed(batch.singleNanos(2)));
    }

    @Test
    void shouldReportTheMedianOfTheRoundsAndTheSpreadOfTheCalls() {
        Batch quick = new Batch(List.of(new long[] {0, 10, 20}));
        Batch slow = new Batch(List.of(new long[] {0, 300, 600}));
        Batch middle = new Batch(List.of(new long[] {0, 20, 60}));
        Figures figures = Rounds.figures(List.of(quick, slow, middle), 1, 7);
        assertEquals(new Figures(2, 30, 10, 20, 300, 7), figures);
    }

    @Test
    void shouldFindTheMiddle() {
        assertEquals(2, Rounds.median(new double[] {1, 2, 9}));
        assertEquals(3, Rounds.median(new double[] {1, 2, 4, 9}));
    }

    @Test
    void shouldFindTheValueThatAShareDoesNotExceed() {
        double[] hundred = IntStream.rangeClosed(1, 100).asDoubleStream().toArray();
        assertEquals(99, Rounds.quantile(hundred, 0.99));
        assertEquals(50, Rounds.quantile(hundred, 0.50));
        assertEquals(1, Rounds.quantile(hundred, 0));
        assertEquals(5, Rounds.quantile(new double[] {5}, 0.99));
    }

    private static List<Double> boxed(double[] values) {
        return java.util.Arrays.stream(values).boxed().toList();
    }
}
