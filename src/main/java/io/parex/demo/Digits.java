package io.parex.demo;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPInputStream;

/**
 * Handwritten digits, 8x8 pixels of 0 to 16 each, with the digit that was meant: the UCI optical digits data set
 * ({@code digits.md} beside the resource names its authors, source and licence). Immutable.
 */
final class Digits {
    /** Pixels of one digit, row by row. */
    static final int PIXELS = 64;
    /** Classes 0 to 9. */
    static final int CLASSES = 10;
    /** Largest value of a pixel. */
    static final int MAX_PIXEL = 16;

    private static final int SAMPLES = 1797;
    private static final String RESOURCE = "digits.csv.gz";

    private final byte[] pixels;
    private final byte[] labels;

    private Digits(byte[] pixels, byte[] labels) {
        this.pixels = pixels;
        this.labels = labels;
    }

    /** The whole data set that ships with Parex, 1,797 x 64, in the order of its source. */
    static Digits load() {
        InputStream resource = Digits.class.getResourceAsStream(RESOURCE);
        if (resource == null) {
            throw damaged("it is missing", null);
        }
        return read(resource);
    }

    /** Reads gzip-packed lines of 64 pixels and a label, and closes the stream. */
    static Digits read(InputStream packed) {
        byte[] pixels = new byte[SAMPLES * PIXELS];
        byte[] labels = new byte[SAMPLES];
        int count = 0;
        try (packed;
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(new GZIPInputStream(packed), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (count == SAMPLES) {
                    throw damaged("it has more than " + SAMPLES + " lines", null);
                }
                parse(line, count, pixels, labels);
                count++;
            }
        } catch (IOException cause) {
            throw damaged("after line " + count + ": " + cause.getMessage(), cause);
        }
        if (count != SAMPLES) {
            throw damaged("it ends after line " + count + " of " + SAMPLES, null);
        }
        return new Digits(pixels, labels);
    }

    private static void parse(String line, int sample, byte[] pixels, byte[] labels) {
        String[] values = line.split(",", -1);
        if (values.length != PIXELS + 1) {
            throw damaged("line " + (sample + 1) + " has " + values.length + " values, not " + (PIXELS + 1), null);
        }
        for (int i = 0; i < PIXELS; i++) {
            pixels[sample * PIXELS + i] = value(values[i], MAX_PIXEL, sample);
        }
        labels[sample] = value(values[PIXELS], CLASSES - 1, sample);
    }

    private static byte value(String text, int max, int sample) {
        try {
            int value = Integer.parseInt(text);
            if (value >= 0 && value <= max) {
                return (byte) value;
            }
        } catch (NumberFormatException ignored) {
            // Reported below, like a number out of range.
        }
        throw damaged("line " + (sample + 1) + " has '" + text + "' where 0 to " + max + " is due", null);
    }

    private static ParexException damaged(String what, Throwable cause) {
        String message = "the data set " + RESOURCE + " of this build is damaged: " + what
                + "; nothing was trained, build Parex again";
        return new ParexException(ErrorKind.UNAVAILABLE, message, cause);
    }

    /** Number of digits. */
    int count() {
        return labels.length;
    }

    /** Pixel {@code index} (0 to 63) of a digit, 0 to 16. */
    int pixel(int sample, int index) {
        return pixels[sample * PIXELS + index];
    }

    /** The digit that was meant, 0 to 9. */
    int label(int sample) {
        return labels[sample];
    }

    /** Writes the 64 pixels of a digit, scaled to 0.0 to 1.0. */
    void copyScaled(int sample, double[] into) {
        for (int i = 0; i < PIXELS; i++) {
            into[i] = pixels[sample * PIXELS + i] / (double) MAX_PIXEL;
        }
    }

    /** The same digits, ordered by the seed alone: neighbours in the source are often of one hand. */
    Digits shuffled(long seed) {
        return select(permutation(count(), seed), 0, count());
    }

    /** The first {@code trainingCount} digits to train on, the rest held out. */
    Split split(int trainingCount) {
        int[] all = new int[count()];
        for (int i = 0; i < all.length; i++) {
            all[i] = i;
        }
        return new Split(select(all, 0, trainingCount), select(all, trainingCount, all.length));
    }

    private Digits select(int[] order, int from, int to) {
        byte[] chosenPixels = new byte[(to - from) * PIXELS];
        byte[] chosenLabels = new byte[to - from];
        for (int i = from; i < to; i++) {
            System.arraycopy(pixels, order[i] * PIXELS, chosenPixels, (i - from) * PIXELS, PIXELS);
            chosenLabels[i - from] = labels[order[i]];
        }
        return new Digits(chosenPixels, chosenLabels);
    }

    /** The numbers 0 to {@code count - 1} in an order that depends on the seed alone (Fisher and Yates). */
    static int[] permutation(int count, long seed) {
        Random random = new Random(seed);
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int other = random.nextInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        return order;
    }

    /**
     * Digits to learn from and digits to judge by; no digit is in both.
     *
     * @param training what gradients are computed from
     * @param heldOut what accuracy is measured on
     */
    record Split(Digits training, Digits heldOut) {}
}
