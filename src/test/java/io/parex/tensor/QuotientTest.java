package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Random;
import org.junit.jupiter.api.Test;

class QuotientTest {
    private static final long[] DIVIDENDS = {
        0, 1, 2, 3, 7, 1L << 31, 1L << 32, (1L << 53) - 1, (1L << 62) - 1, 1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };

    @Test
    void shouldDivideAsJavaDoes() {
        for (int divisor = 1; divisor <= 5000; divisor++) {
            verify(divisor);
        }
        for (int bits = 12; bits < Integer.SIZE - 1; bits++) {
            verify((1 << bits) - 1);
            verify(1 << bits);
            verify((1 << bits) + 1);
        }
        verify(Integer.MAX_VALUE - 1);
        verify(Integer.MAX_VALUE);
    }

    /** At the ends and middles, around multiples of the divisor, and anywhere. */
    private static void verify(int divisor) {
        Quotient quotient = Quotient.by(divisor);
        Random random = new Random(divisor);
        for (long dividend : DIVIDENDS) {
            verify(quotient, divisor, dividend);
            verify(quotient, divisor, -dividend);
            verify(quotient, divisor, -dividend - 1);
        }
        for (int i = 0; i < 100; i++) {
            long any = random.nextLong() >> random.nextInt(Long.SIZE);
            long multiple = any / divisor * divisor;
            verify(quotient, divisor, any);
            verify(quotient, divisor, multiple);
            verify(quotient, divisor, multiple - 1);
            verify(quotient, divisor, multiple + 1);
        }
    }

    private static void verify(Quotient quotient, int divisor, long dividend) {
        if (dividend / divisor != quotient.of(dividend)) {
            assertEquals(dividend / divisor, quotient.of(dividend), dividend + " / " + divisor);
        }
    }
}
