package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** What primitives mean, element by element. */
final class ExpectedValues {
    private final List<Problem> problems;
    private final List<long[]> inputs;
    private final LongBinaryOperator operation;

    ExpectedValues(List<Problem> problems, List<long[]> inputs, LongBinaryOperator operation) {
        this.problems = problems;
        this.inputs = inputs;
        this.operation = operation;
    }

    /** The output of a rank. */
    long[] output(int rank) {
        Problem problem = problems.get(rank);
        int root = problem.root();
        long[] output = new long[(int) problem.outputLength()];
        switch (problem.primitive().base()) {
            case BROADCAST -> Arrays.setAll(output, element -> inputs.get(root)[element]);
            case SCATTER -> fill(output, 0, inputs.get(root), problems.get(root).blocks(), rank);
            case REDUCE, ALL_REDUCE -> Arrays.setAll(output, this::sum);
            case REDUCE_SCATTER -> {
                int first = (int) problem.blocks().offset(rank);
                Arrays.setAll(output, element -> sum(first + element));
            }
            case ALL_TO_ALL -> {
                for (int source = 0; source < problem.size(); source++) {
                    int at = (int) problem.incoming().offset(source);
                    fill(output, at, inputs.get(source), problems.get(source).blocks(), rank);
                }
            }
            case GATHER, ALL_GATHER -> {
                for (int source = 0; output.length > 0 && source < problem.size(); source++) {
                    long[] block = inputs.get(source);
                    System.arraycopy(block, 0, output, (int) problem.blocks().offset(source), block.length);
                }
            }
            default -> {
                // A barrier has no output.
            }
        }
        return output;
    }

    private static void fill(long[] output, int at, long[] input, Blocks blocks, int block) {
        System.arraycopy(input, (int) blocks.offset(block), output, at, (int) blocks.length(block));
    }

    private long sum(int element) {
        return inputs.stream()
                .mapToLong(input -> input[element])
                .reduce(operation)
                .orElseThrow();
    }
}
