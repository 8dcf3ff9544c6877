package io.parex.tensor;

/** A complex number as an element of a test; equal as its parts are, so that every NaN is the same and -0 is not +0. */
final class Complex extends Number {
    private static final long serialVersionUID = 1;

    private final double real;
    private final double imaginary;

    Complex(double real, double imaginary) {
        this.real = real;
        this.imaginary = imaginary;
    }

    double real() {
        return real;
    }

    double imaginary() {
        return imaginary;
    }

    /** In the precision of float32. */
    Complex single() {
        return new Complex((float) real, (float) imaginary);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Complex that
                && Double.compare(real, that.real) == 0
                && Double.compare(imaginary, that.imaginary) == 0;
    }

    @Override
    public int hashCode() {
        return 31 * Double.hashCode(real) + Double.hashCode(imaginary);
    }

    @Override
    public String toString() {
        return real + " + " + imaginary + "i";
    }

    @Override
    public double doubleValue() {
        throw new UnsupportedOperationException("a complex number is no real one");
    }

    @Override
    public float floatValue() {
        throw new UnsupportedOperationException("a complex number is no real one");
    }

    @Override
    public long longValue() {
        throw new UnsupportedOperationException("a complex number is no real one");
    }

    @Override
    public int intValue() {
        throw new UnsupportedOperationException("a complex number is no real one");
    }
}
