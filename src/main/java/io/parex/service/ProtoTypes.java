package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.Arrays;

/** Element types and reductions of the messages as those of the fabric, whose codes they share. */
final class ProtoTypes {
    private ProtoTypes() {}

    /** The element type that {@code type} stands for; refused if it is missing or not known. */
    static DataType type(io.parex.v1.DataType type) {
        if (type == io.parex.v1.DataType.DATA_TYPE_UNSPECIFIED) {
            throw ParexException.argument("the tensor's dtype is missing");
        }
        return Arrays.stream(DataType.values())
                .filter(known -> isNumbered(known.code(), type))
                .findAny()
                .orElseThrow(() -> new ParexException(
                        ErrorKind.UNSUPPORTED, "elements of type " + type + " are not known to this server"));
    }

    /** The reduction that {@code op} stands for. */
    static ReduceOp op(io.parex.v1.ReduceOp op) {
        if (op == io.parex.v1.ReduceOp.REDUCE_OP_UNSPECIFIED) {
            throw ParexException.argument("the reduction's op is missing");
        }
        return Arrays.stream(ReduceOp.values())
                .filter(known -> op != io.parex.v1.ReduceOp.UNRECOGNIZED && known.code() == op.getNumber())
                .findAny()
                .orElseThrow(() -> new ParexException(
                        ErrorKind.UNSUPPORTED, "the reduction " + op + " is not computed by this server"));
    }

    private static boolean isNumbered(int code, io.parex.v1.DataType type) {
        // The number of an unrecognised value is not to be asked for.
        return type != io.parex.v1.DataType.UNRECOGNIZED && type.getNumber() == code;
    }
}
