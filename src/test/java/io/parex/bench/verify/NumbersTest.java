package io.parex.bench.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.tensor.DataType;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class NumbersTest {

    @Test
    void shouldRoundToFloat16AsTheJdkDoes() {
        for (int bits = 0; bits < 0x7c00; bits++) {
            double value = Float.float16ToFloat((short) bits);
            double next = bits == 0x7bff ? 65536 : Float.float16ToFloat((short) (bits + 1));
            for (double each : new double[] {value, (value + next) / 2, value + (next - value) * 0.499}) {
                double expected = Float.float16ToFloat(Float.floatToFloat16((float) each));
                assertEquals(expected, Numbers.nearest(DataType.FLOAT16, each));
                assertEquals(-expected, Numbers.nearest(DataType.FLOAT16, -each));
            }
        }
    }

    @Test
    void shouldRoundToBfloat16ToTheNearestAndOfTwoToTheEvenOne() {
        assertEquals(1, Numbers.nearest(DataType.BFLOAT16, 1 + 0x1p-8));
        assertEquals(1 + 0x1p-6, Numbers.nearest(DataType.BFLOAT16, 1 + 0x1p-7 + 0x1p-8));
        assertEquals(1 + 0x1p-7, Numbers.nearest(DataType.BFLOAT16, 1 + 0x1.02p-8));
        assertEquals(0x1.fep127, Numbers.nearest(DataType.BFLOAT16, 0x1.fefp127));
        assertEquals(Double.NEGATIVE_INFINITY, Numbers.nearest(DataType.BFLOAT16, -0x1.ffp127));
        assertEquals(0x1p-133, Numbers.nearest(DataType.BFLOAT16, 0x1.8p-134));
        assertEquals(Double.NaN, Numbers.nearest(DataType.BFLOAT16, Double.NaN));
    }

    @Test
    void shouldReadWhatItWrites() {
        for (DataType part : new DataType[] {DataType.FLOAT16, DataType.BFLOAT16, DataType.FLOAT32, DataType.FLOAT64}) {
            MemorySegment memory = MemorySegment.ofArray(new byte[3 * part.bytes()]);
            Numbers.put(part, memory, 0, -2.5);
            Numbers.put(part, memory, 1, Double.NaN);
            Numbers.put(part, memory, 2, Double.POSITIVE_INFINITY);
            double[] values = Numbers.reals(part, memory);
            assertEquals(-2.5, values[0]);
            assertEquals(Double.NaN, values[1]);
            assertEquals(Double.POSITIVE_INFINITY, values[2]);
        }
    }
}
