package io.parex.service;

import io.parex.ParexException;
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
        DataType type = ProtoTypes.type(tensor.getDtype());
        long count = tensor.getCount();
        // Unsigned in the message: above 2^63 it is negative here.
        if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
            throw ParexException.argument(
                    "count " + Long.toUnsignedString(count) + " of " + type.label() + " is out of range");
        }
        return new Shape(type, count);
    }

    /** Size in bytes. */
    long bytes() {
        return count * type.bytes();
    }
}
