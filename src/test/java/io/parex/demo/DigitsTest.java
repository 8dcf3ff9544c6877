package io.parex.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ParexException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class DigitsTest {

    @Test
    void shouldLoad1797DigitsOf64PixelsFrom0To16() {
        Digits digits = Digits.load();
        int[] perClass = new int[Digits.CLASSES];
        int max = 0;
        for (int sample = 0; sample < digits.count(); sample++) {
            perClass[digits.label(sample)]++;
            for (int i = 0; i < Digits.PIXELS; i++) {
                assertTrue(digits.pixel(sample, i) >= 0);
                max = Math.max(max, digits.pixel(sample, i));
            }
        }
        assertEquals(1797, digits.count());
        assertEquals(16, max);
        // The class distribution that the authors of the data set publish.
        assertEquals("[178, 182, 177, 183, 181, 182, 181, 179, 174, 180]", Arrays.toString(perClass));
    }

    @Test
    void shouldScalePixelsToOne() {
        Digits digits = Digits.load();
        double[] scaled = new double[Digits.PIXELS];
        digits.copyScaled(7, scaled);
        for (int i = 0; i < Digits.PIXELS; i++) {
            assertEquals(digits.pixel(7, i), scaled[i] * 16);
        }
    }

    @Test
    void shouldKeepEveryDigitOnceWhenShuffledAndSplit() {
        Digits digits = Digits.load();
        Digits.Split split = digits.shuffled(3).split(1440);
        assertEquals(1440, split.training().count());
        assertEquals(357, split.heldOut().count());
        int[] sums = pixelSums(digits);
        int[] splitSums = Arrays.copyOf(pixelSums(split.training()), sums.length);
        System.arraycopy(pixelSums(split.heldOut()), 0, splitSums, 1440, 357);
        assertFalse(Arrays.equals(sums, splitSums), "shuffled");
        Arrays.sort(sums);
        Arrays.sort(splitSums);
        assertEquals(Arrays.toString(sums), Arrays.toString(splitSums));
    }

    @Test
    void shouldShuffleBySeedAlone() {
        String once = Arrays.toString(pixelSums(Digits.load().shuffled(3)));
        assertEquals(once, Arrays.toString(pixelSums(Digits.load().shuffled(3))));
        assertNotEquals(once, Arrays.toString(pixelSums(Digits.load().shuffled(4))));
    }

    @Test
    void shouldSayWhatIsWrongWithDamagedData() {
        String good = "1,".repeat(64) + "9\n";
        assertDamaged("line 2 has 64 values, not 65", good + "1,".repeat(63) + "9\n");
        assertDamaged("line 1 has '17' where 0 to 16 is due", "17," + "1,".repeat(63) + "9\n");
        assertDamaged("line 1 has '10' where 0 to 9 is due", "1,".repeat(64) + "10\n");
        assertDamaged("line 1 has 'x' where 0 to 16 is due", "x," + "1,".repeat(63) + "9\n");
        assertDamaged("it ends after line 3 of 1797", good.repeat(3));
        assertDamaged("it has more than 1797 lines", good.repeat(1798));
    }

    @Test
    void shouldSayThatPackedDataIsCutShort() {
        byte[] packed = pack(("1,".repeat(64) + "9\n").repeat(1797));
        byte[] cut = Arrays.copyOf(packed, packed.length - 9);
        ParexException thrown = assertThrows(ParexException.class, () -> Digits.read(new ByteArrayInputStream(cut)));
        assertTrue(thrown.getMessage().contains("damaged"), thrown.getMessage());
    }

    private static void assertDamaged(String what, String lines) {
        byte[] packed = pack(lines);
        ParexException thrown = assertThrows(ParexException.class, () -> Digits.read(new ByteArrayInputStream(packed)));
        assertTrue(thrown.getMessage().contains("is damaged: " + what), thrown.getMessage());
    }

    private static byte[] pack(String text) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return packed.toByteArray();
    }

    /** One number per digit that depends on all its pixels, their places and its label. */
    private static int[] pixelSums(Digits digits) {
        int[] sums = new int[digits.count()];
        for (int sample = 0; sample < sums.length; sample++) {
            sums[sample] = digits.label(sample);
            for (int i = 0; i < Digits.PIXELS; i++) {
                sums[sample] = 31 * sums[sample] + digits.pixel(sample, i);
            }
        }
        return sums;
    }
}
