package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.Set;

/**
 * Which checks to run; an empty set leaves all of its kind.
 *
 * @param primitives the v-form is another one than the primitive
 * @param algorithms by name
 * @param types element types
 * @param ops reductions; with some, what does not reduce is left out
 * @param only the identity of one check, or null
 */
public record CheckFilter(
        Set<Primitive> primitives, Set<String> algorithms, Set<DataType> types, Set<ReduceOp> ops, String only) {

    /** All checks. */
    public static final CheckFilter ALL = new CheckFilter(Set.of(), Set.of(), Set.of(), Set.of(), null);

    public CheckFilter {
        primitives = Set.copyOf(primitives);
        algorithms = Set.copyOf(algorithms);
        types = Set.copyOf(types);
        ops = Set.copyOf(ops);
    }

    boolean takes(Cell cell) {
        return has(primitives, cell.primitive())
                && has(algorithms, cell.algorithm())
                && has(types, cell.type())
                && has(ops, cell.op());
    }

    boolean takes(Check check) {
        return takes(check.cell()) && (only == null || check.id().equals(only));
    }

    private static <T> boolean has(Set<T> chosen, T value) {
        return chosen.isEmpty() || value != null && chosen.contains(value);
    }
}
