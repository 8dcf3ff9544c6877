package io.parex.cli;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Rates such as {@code 25Gbit} or {@code 3GB}, in bytes a second; units are decimal, {@code bit} and {@code B} tell
 * bits and bytes, and {@code /s} may stand behind them.
 */
final class RateConverter implements ITypeConverter<Double> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)\\s*([kmgt])(bit|b)(?:/s)?");
    private static final Map<String, Double> UNITS = Map.of("k", 1e3, "m", 1e6, "g", 1e9, "t", 1e12);

    @Override
    public Double convert(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        double value = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
        if (value == 0) {
            throw new TypeConversionException("'" + text + "' is not a rate such as 25Gbit or 3GB");
        }
        return value * UNITS.get(matcher.group(2)) / (matcher.group(3).equals("bit") ? Byte.SIZE : 1);
    }
}
