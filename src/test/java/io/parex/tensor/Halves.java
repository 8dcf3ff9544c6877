package io.parex.tensor;

/** What float16 and bfloat16 are, by their definition and in double, in which all of it is exact. */
enum Halves {
    FLOAT16(DataType.FLOAT16, 10, 15, 0x7e00),
    BFLOAT16(DataType.BFLOAT16, 7, 127, 0x7fc0);

    private final DataType type;
    private final int fraction;
    private final int origin;
    private final short nan;
    private final double[] values = new double[1 << 16];

    Halves(DataType type, int fraction, int origin, int nan) {
        this.type = type;
        this.fraction = fraction;
        this.origin = origin;
        this.nan = (short) nan;
        for (int bits = 0; bits < values.length; bits++) {
            values[bits] = defined(bits);
        }
    }

    static Halves of(DataType type) {
        return type == DataType.FLOAT16 ? FLOAT16 : BFLOAT16;
    }

    DataType type() {
        return type;
    }

    /** The NaN that results have. */
    short nan() {
        return nan;
    }

    /** The bits of positive infinity; those of positive finite values are below. */
    int infinity() {
        return 2 * origin + 1 << fraction;
    }

    /** What bits stand for. */
    double value(int bits) {
        return values[bits & 0xffff];
    }

    private double defined(int bits) {
        int exponent = (bits & 0x7fff) >>> fraction;
        int digits = bits & (1 << fraction) - 1;
        double magnitude = (bits & 0x7fff) > infinity()
                ? Double.NaN
                : (bits & 0x7fff) == infinity()
                        ? Double.POSITIVE_INFINITY
                        : exponent == 0
                                ? Math.scalb((double) digits, 1 - origin - fraction)
                                : Math.scalb((double) (digits + (1 << fraction)), exponent - origin - fraction);
        return (bits & 0x8000) == 0 ? magnitude : -magnitude;
    }

    /**
     * The value nearest to {@code exact}, the even one of two; beyond the greatest by half a step or more, infinity.
     */
    float nearest(double exact) {
        int exponent = Math.max(Math.getExponent(exact), 1 - origin);
        double step = Math.scalb(1.0, exponent - fraction);
        double rounded = Math.rint(exact / step) * step;
        double greatest = value(infinity() - 1);
        return (float) (Math.abs(rounded) > greatest ? Math.copySign(Double.POSITIVE_INFINITY, exact) : rounded);
    }

    /** The bits of a value, which must be one. */
    short bits(float value) {
        if (Float.isNaN(value)) {
            return nan;
        }
        int low = 0;
        int high = infinity();
        while (low < high) {
            int middle = low + high >>> 1;
            if (value(middle) < Math.abs(value)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (value(low) != Math.abs(value)) {
            throw new AssertionError(value + " is no " + type.label());
        }
        return (short) (Math.copySign(1, value) < 0 ? low | 0x8000 : low);
    }
}
