package io.parex.protocol.wire;

import io.parex.ErrorKind;
import io.parex.protocol.Standing;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.Arrays;
import java.util.function.ToIntFunction;

/**
 * The numbers of constants that have none of their own. They never change, unlike ordinals, and 0 is none of them. A
 * new constant does not compile until it has a number here.
 */
final class Codes {
    /** Where there is no constant. */
    static final int NONE = 0;

    private static final Primitive[] PRIMITIVES = table(Primitive.values(), Codes::of);
    private static final ErrorKind[] KINDS = table(ErrorKind.values(), Codes::of);
    private static final DataType[] TYPES = table(DataType.values(), DataType::code);
    private static final Standing.Stage[] STAGES = table(Standing.Stage.values(), Codes::of);
    private static final ReduceOp[] OPS = table(ReduceOp.values(), ReduceOp::code);

    private Codes() {}

    static int of(Primitive primitive) {
        return switch (primitive) {
            case SEND -> 1;
            case RECV -> 2;
            case ISEND -> 3;
            case IRECV -> 4;
            case SEND_RECV -> 5;
            case BARRIER -> 6;
            case BROADCAST -> 7;
            case ALL_REDUCE -> 8;
            case SCATTER -> 9;
            case GATHER -> 10;
            case ALL_GATHER -> 11;
            case REDUCE -> 12;
            case REDUCE_SCATTER -> 13;
            case ALL_TO_ALL -> 14;
            case SCATTER_V -> 15;
            case GATHER_V -> 16;
            case ALL_GATHER_V -> 17;
            case REDUCE_SCATTER_V -> 18;
            case ALL_TO_ALL_V -> 19;
        };
    }

    static int of(ErrorKind kind) {
        return switch (kind) {
            case ARGUMENT -> 1;
            case MISMATCH -> 2;
            case TIMEOUT -> 3;
            case PEER_FAILED -> 4;
            case ABORTED -> 5;
            case UNSUPPORTED -> 6;
            case PROTOCOL -> 7;
            case UNAVAILABLE -> 8;
            case OVERLOADED -> 9;
            case LEFT -> 10;
            case DEADLOCK -> 11;
            case CANCELLED -> 12;
        };
    }

    static int of(Standing.Stage stage) {
        return switch (stage) {
            case OUT -> 1;
            case READY -> 2;
            case UNUSED -> 3;
        };
    }

    /** The constant of a code from 0 to 255, null if there is none. */
    static Primitive primitive(int code) {
        return PRIMITIVES[code];
    }

    static ErrorKind errorKind(int code) {
        return KINDS[code];
    }

    static DataType dataType(int code) {
        return TYPES[code];
    }

    static Standing.Stage stage(int code) {
        return STAGES[code];
    }

    static ReduceOp reduceOp(int code) {
        return OPS[code];
    }

    private static <E> E[] table(E[] constants, ToIntFunction<E> code) {
        E[] table = Arrays.copyOf(constants, 256);
        Arrays.fill(table, null);
        for (E constant : constants) {
            table[code.applyAsInt(constant)] = constant;
        }
        return table;
    }
}
