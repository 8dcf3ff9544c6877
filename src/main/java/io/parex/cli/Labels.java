package io.parex.cli;

import io.parex.algorithm.Algorithm;
import io.parex.bench.verify.Cell;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Enums by the names that the command line uses, such as {@code float32}; an unknown one is told the known ones. */
abstract class Labels<T> implements ITypeConverter<T> {
    private final String what;
    private final List<T> known;
    private final Function<T, String> label;

    /** What is named, in words, and what there is of it. */
    Labels(String what, List<T> known, Function<T, String> label) {
        this.what = what;
        this.known = known;
        this.label = label;
    }

    @Override
    public T convert(String text) {
        return known.stream()
                .filter(value -> label.apply(value).equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("no " + what + " '" + text + "'; known: "
                        + known.stream().map(label).collect(Collectors.joining(", "))));
    }

    /** Element types. */
    static final class OfDataType extends Labels<DataType> {
        OfDataType() {
            super("data type", Arrays.asList(DataType.values()), DataType::label);
        }
    }

    /** Where ranks live. */
    static final class OfIsolation extends Labels<Isolation> {
        OfIsolation() {
            super("isolation", Arrays.asList(Isolation.values()), Isolation::label);
        }
    }

    /** Primitives and their v-forms. */
    static final class OfPrimitive extends Labels<Primitive> {
        OfPrimitive() {
            super("primitive", Arrays.asList(Primitive.values()), Primitive::label);
        }
    }

    /** Algorithms of any primitive, and the planner's choice. */
    static final class OfAlgorithm extends Labels<String> {
        OfAlgorithm() {
            super(
                    "algorithm",
                    Stream.concat(
                                    Stream.of(Cell.AUTO),
                                    AlgorithmRegistry.standard().all().stream().map(Algorithm::name))
                            .distinct()
                            .toList(),
                    UnaryOperator.identity());
        }
    }

    /** Reduction operations. */
    static final class OfReduceOp extends Labels<ReduceOp> {
        OfReduceOp() {
            super("reduction", Arrays.asList(ReduceOp.values()), ReduceOp::label);
        }
    }
}
