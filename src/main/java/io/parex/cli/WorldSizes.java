package io.parex.cli;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes of worlds, ascending and each once. */
record WorldSizes(List<Integer> values) {
    /** Most ranks of a world; with more, what all ranks hold of all others gets out of hand. */
    static final int MAX = 33;

    /** From texts such as {@code 4}, {@code 1..9} or {@code 2,4,7..9}. */
    static final class Converter implements ITypeConverter<WorldSizes> {
        private static final Pattern PART = Pattern.compile("(\\d{1,4})(?:\\.\\.(\\d{1,4}))?");

        @Override
        public WorldSizes convert(String text) {
            TreeSet<Integer> sizes = new TreeSet<>();
            for (String part : text.split(",", -1)) {
                Matcher matcher = PART.matcher(part.strip());
                if (!matcher.matches()) {
                    throw new TypeConversionException(
                            "'" + part + "' is neither a size nor a range of them, such as 4 or 1..9 or 2,4,7..9");
                }
                int from = Integer.parseInt(matcher.group(1));
                int to = matcher.group(2) == null ? from : Integer.parseInt(matcher.group(2));
                if (from < 1 || to > MAX || from > to) {
                    throw new TypeConversionException("'" + part + "' is not of worlds of 1 to " + MAX + " ranks");
                }
                IntStream.rangeClosed(from, to).forEach(sizes::add);
            }
            return new WorldSizes(List.copyOf(sizes));
        }
    }
}
