package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ParexException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchTest {
    private static final Digits.Split DIGITS = Recipe.STANDARD.digits();

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7, 33})
    void shouldShareEveryDigitExactlyOnce(int size) {
        Batch all = Batch.all(DIGITS.heldOut());
        int next = 0;
        for (int rank = 0; rank < size; rank++) {
            Batch share = all.share(rank, size);
            for (int i = 0; i < share.count(); i++) {
                assertEquals(next++, share.sample(i));
            }
        }
        assertEquals(357, next);
    }

    @Test
    void shouldPassOverEveryTrainingDigitOnceAnEpochInAnotherOrder() {
        int[] first = Recipe.STANDARD.order(0);
        int[] second = Recipe.STANDARD.order(1);
        int[] all = IntStream.range(0, 1440).toArray();
        assertArrayEquals(all, IntStream.of(first).sorted().toArray());
        assertArrayEquals(all, IntStream.of(second).sorted().toArray());
        assertThrows(AssertionError.class, () -> assertArrayEquals(first, second));
        Batch last = Recipe.STANDARD.batch(DIGITS.training(), first, Recipe.STANDARD.stepsPerEpoch() - 1);
        assertEquals(first[1439], last.sample(last.count() - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 97})
    void shouldRefuseWorkersThatCannotShareAStepEqually(int workers) {
        assertThrows(ParexException.class, () -> Recipe.STANDARD.requireShareable(workers));
    }
}
