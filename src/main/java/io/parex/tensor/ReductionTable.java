package io.parex.tensor;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What is computed, and in which type, as the table of the documentation. */
final class ReductionTable {
    private ReductionTable() {}

    /** A row a type, a column an operation. */
    static String markdown() {
        return "| type | bytes | " + operations(ReduceOp::label) + " |\n"
                + "|---|---|" + "---|".repeat(ReduceOp.values().length) + "\n"
                + Arrays.stream(DataType.values()).map(ReductionTable::row).collect(Collectors.joining());
    }

    private static String row(DataType type) {
        return "| " + type.label() + " | " + type.bytes() + " | " + operations(op -> cell(type, op)) + " |\n";
    }

    private static String operations(Function<ReduceOp, String> cell) {
        return Arrays.stream(ReduceOp.values()).map(cell).collect(Collectors.joining(" | "));
    }

    private static String cell(DataType type, ReduceOp op) {
        if (!Reductions.supports(type, op)) {
            return "-";
        }
        DataType partial = Reductions.partialType(type, op);
        return partial == type ? "yes" : "in " + partial.label();
    }
}
