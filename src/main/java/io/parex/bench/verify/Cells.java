package io.parex.bench.verify;

import io.parex.algorithm.Algorithm;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.Reductions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The product of what there is: primitives, their algorithms, types and, of what reduces, operations. */
final class Cells {
    private static final AlgorithmRegistry REGISTRY = AlgorithmRegistry.standard();

    private Cells() {}

    /** All that there is to be covered, for worlds of {@code ranks} ranks. */
    static List<Cell> of(int ranks) {
        return Arrays.stream(Primitive.values())
                .flatMap(primitive ->
                        algorithms(primitive, ranks).stream().flatMap(algorithm -> of(primitive, algorithm).stream()))
                .toList();
    }

    /** The algorithms that run a primitive, by name; what stands for that of messages. */
    static List<String> algorithms(Primitive primitive, int ranks) {
        if (!primitive.isCollective()) {
            return List.of(Cell.DIRECT);
        }
        return REGISTRY.of(primitive).stream()
                .filter(algorithm -> algorithm.handles(primitive, ranks))
                .map(Algorithm::name)
                .toList();
    }

    /** All types and operations of a primitive by an algorithm. */
    static List<Cell> of(Primitive primitive, String algorithm) {
        if (primitive == Primitive.BARRIER) {
            return List.of(new Cell(primitive, algorithm, null, null));
        }
        List<Cell> cells = new ArrayList<>();
        for (DataType type : DataType.values()) {
            if (primitive.reducing()) {
                Reductions.operations(type).forEach(op -> cells.add(new Cell(primitive, algorithm, type, op)));
            } else {
                cells.add(new Cell(primitive, algorithm, type, null));
            }
        }
        return cells;
    }

    /** Reductions that are not computed, the planner choosing. */
    static List<Cell> refused(Primitive primitive) {
        if (!primitive.reducing()) {
            return List.of();
        }
        return Arrays.stream(DataType.values())
                .flatMap(type -> Stream.of(ReduceOp.values())
                        .filter(op -> !Reductions.supports(type, op))
                        .map(op -> new Cell(primitive, Cell.AUTO, type, op)))
                .toList();
    }
}
