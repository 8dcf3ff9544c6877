package io.parex.service;

import io.parex.ParexException;
import io.parex.schedule.Blocks;
import io.parex.tensor.DataType;
import io.parex.v1.Tensor;

/**
 * What a header says of a tensor.
 *
 * @param type of its elements
 * @param count of its elements
 */
record Shape(DataType type, long count) {

    /** Read from a message, checked. */
    static Shape of(Tensor tensor) {
        return of(ProtoTypes.type(tensor.getDtype()), tensor.getCount());
    }

    /** A count as a message says it, checked. */
    static Shape of(DataType type, long count) {
        // Unsigned in the message: above 2^63 it is negative here.
        if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
            throw ParexException.argument(
                    "count " + Long.toUnsignedString(count) + " of " + type.label() + " is out of range");
        }
        return new Shape(type, count);
    }

    /** A block of this shape for each of {@code size} ranks. */
    Blocks times(int size) {
        if (count > Long.MAX_VALUE / type.bytes() / size) {
            throw ParexException.argument(
                    count + " " + type.label() + " for each of " + size + " ranks are more than there can be");
        }
        return Blocks.each(count, size);
    }

    /** The shape of all blocks, of elements of this type. */
    Shape of(Blocks blocks) {
        if (blocks.count() > Long.MAX_VALUE / type.bytes()) {
            throw ParexException.argument(blocks.count() + " " + type.label() + " are more than there can be");
        }
        return new Shape(type, blocks.count());
    }

    /** Size in bytes. */
    long bytes() {
        return count * type.bytes();
    }
}
