package io.parex.cli;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Short times such as {@code 50us}, {@code 0.5ms} or {@code 1s}, in seconds. */
final class TimeConverter implements ITypeConverter<Double> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*(ns|us|ms|s)");
    private static final Map<String, Double> UNITS = Map.of("ns", 1e9, "us", 1e6, "ms", 1e3, "s", 1.0);

    @Override
    public Double convert(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a time such as 50us, 0.5ms or 1s");
        }
        return Double.parseDouble(matcher.group(1)) / UNITS.get(matcher.group(2));
    }
}
