package io.parex.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Sizes such as {@code 8}, {@code 64K}, {@code 1.5MiB} or {@code 1G}, in bytes; K, M, G and KiB, MiB, GiB all mean
 * powers of 1024, in either case.
 */
final class ByteSizeConverter implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s*(?:([KMG])(?:IB)?|B)?");
    private static final String UNITS = "KMG";
    private static final int BITS_PER_UNIT = 10;

    @Override
    public Long convert(String text) {
        Matcher matcher = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a size such as 8, 64K, 1.5MiB or 1G");
        }
        String unit = matcher.group(2);
        long factor = unit == null ? 1 : 1L << BITS_PER_UNIT * (UNITS.indexOf(unit) + 1);
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(factor))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number of bytes, or too large a one");
        }
    }
}
