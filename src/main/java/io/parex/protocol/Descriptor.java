package io.parex.protocol;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.ArrayList;
import java.util.List;

/**
 * The fingerprint of a collective call: everything that must be equal on all members. Two ranks whose descriptors of
 * the same call number differ must not exchange data.
 *
 * @param primitive what is called
 * @param type element type, null where there are no elements
 * @param op reduction, null where nothing is reduced
 * @param root group rank of the root, -1 for rootless primitives
 * @param count elements of the whole tensor, 0 where not every rank knows all lengths
 * @param detail what else must be equal, in words that say what it is, such as {@code lengths 3,0,5}; empty if nothing
 * @param algorithm the algorithm chosen
 * @param name the caller's name of the call, empty if none
 */
public record Descriptor(
        Primitive primitive,
        DataType type,
        ReduceOp op,
        int root,
        long count,
        String detail,
        String algorithm,
        String name) {
    /** The names of the fields that differ, with both values, such as {@code count 3 / 4}; empty if equal. */
    public List<String> differences(Descriptor other) {
        List<String> found = new ArrayList<>();
        compare(found, "primitive", primitive.label(), other.primitive.label());
        compare(found, "type", label(type), label(other.type));
        compare(found, "op", label(op), label(other.op));
        compare(found, "root", root, other.root);
        compare(found, "count", count, other.count);
        compare(found, "detail", label(detail), label(other.detail));
        compare(found, "name", name, other.name);
        if (found.isEmpty()) {
            // An automatic choice follows from the fields above, so it says something only when they are equal.
            compare(found, "algorithm", algorithm, other.algorithm);
        }
        return found;
    }

    private static void compare(List<String> found, String field, Object mine, Object theirs) {
        if (!mine.equals(theirs)) {
            found.add(field + " " + mine + " / " + theirs);
        }
    }

    private static String label(String detail) {
        return detail.isEmpty() ? "-" : detail;
    }

    private static String label(DataType type) {
        return type == null ? "-" : type.label();
    }

    private static String label(ReduceOp op) {
        return op == null ? "-" : op.label();
    }

    /** Such as {@code all_reduce(float32 x 1000, op sum, algorithm ring, name 'layer1')}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(primitive.label()).append('(');
        if (type != null) {
            // Of a v-form the lengths of the blocks say more than their sum, where all ranks know them.
            text.append(type.label())
                    .append(primitive.isV() ? "" : " x " + count)
                    .append(", ");
        }
        if (op != null) {
            text.append("op ").append(op.label()).append(", ");
        }
        if (root >= 0) {
            text.append("root ").append(root).append(", ");
        }
        if (!detail.isEmpty()) {
            text.append(detail).append(", ");
        }
        text.append("algorithm ").append(algorithm);
        if (!name.isEmpty()) {
            text.append(", name '").append(name).append('\'');
        }
        return text.append(')').toString();
    }
}
