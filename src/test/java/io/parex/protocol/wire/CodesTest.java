package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.parex.ErrorKind;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.Arrays;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The numbers that other versions rely on. A line here may grow, and never changes otherwise. */
class CodesTest {
    @Test
    void shouldPinPrimitives() {
        assertPinned(
                "SEND 1, RECV 2, ISEND 3, IRECV 4, SEND_RECV 5, BARRIER 6, BROADCAST 7, ALL_REDUCE 8,"
                        + " SCATTER 9, GATHER 10, ALL_GATHER 11, REDUCE 12, REDUCE_SCATTER 13, ALL_TO_ALL 14,"
                        + " SCATTER_V 15, GATHER_V 16, ALL_GATHER_V 17, REDUCE_SCATTER_V 18, ALL_TO_ALL_V 19",
                Primitive.values(),
                Codes::of,
                Codes::primitive);
    }

    @Test
    void shouldPinErrorKinds() {
        assertPinned(
                "ARGUMENT 1, MISMATCH 2, TIMEOUT 3, PEER_FAILED 4, ABORTED 5, UNSUPPORTED 6, PROTOCOL 7,"
                        + " UNAVAILABLE 8, OVERLOADED 9, LEFT 10, DEADLOCK 11, CANCELLED 12",
                ErrorKind.values(),
                Codes::of,
                Codes::errorKind);
    }

    @Test
    void shouldPinDataTypes() {
        assertPinned(
                "BOOL 1, UINT8 2, INT8 3, INT16 4, INT32 5, INT64 6, FLOAT16 7, BFLOAT16 8, FLOAT32 9, FLOAT64 10,"
                        + " COMPLEX64 32, COMPLEX128 33, FLOAT8_E4M3 34, FLOAT8_E5M2 35,"
                        + " UINT16 36, UINT32 37, UINT64 38",
                DataType.values(),
                DataType::code,
                Codes::dataType);
    }

    @Test
    void shouldPinReductions() {
        assertPinned(
                "SUM 1, AVG 2, MIN 3, MAX 4, PRODUCT 5, BAND 6, BOR 7, BXOR 8, PREMUL_SUM 9",
                ReduceOp.values(),
                ReduceOp::code,
                Codes::reduceOp);
    }

    @Test
    void shouldPinFrameTypes() {
        assertPinned(
                "INQUIRE 1, ANSWER 2, PING 3, PONG 4, ACK 5, OPEN 128, OPENED 129, GRANT 130, ENVELOPE 131,"
                        + " ACCEPT 132, REFUSE 133, DATA 134, RELEASED 135, WITHDRAW 136, CREDIT 137, FAIL 138,"
                        + " LEAVE 139, RESUME 140, CLOSE 141, REJOIN 142, REJOINED 143, LIVES 144, LOST 145,"
                        + " RECOVER 146",
                FrameType.values(),
                FrameType::code,
                FrameType::of);
    }

    @Test
    void shouldPinRejectReasons() {
        assertEquals(
                "OTHER 0, NOT_OUR_PROTOCOL 1, VERSION 2, WORLD_NAME 3, WORLD_SIZE 4, RANK 5, DUPLICATE_RANK 6,"
                        + " STALE 7, NOT_READY 8, BUSY 9, LOST 10, COSTS 11",
                listed(RejectReason.values(), RejectReason::code));
        for (RejectReason reason : RejectReason.values()) {
            assertSame(reason, RejectReason.of(reason.code()));
        }
        assertSame(RejectReason.OTHER, RejectReason.of(999));
    }

    private static <E extends Enum<E>> void assertPinned(
            String expected, E[] constants, ToIntFunction<E> code, IntFunction<E> table) {
        assertEquals(expected, listed(constants, code));
        for (E constant : constants) {
            // Two constants of one code would not both be found.
            assertSame(constant, table.apply(code.applyAsInt(constant)));
        }
        assertNull(table.apply(Codes.NONE));
        assertNull(table.apply(255));
    }

    private static <E extends Enum<E>> String listed(E[] constants, ToIntFunction<E> code) {
        return Arrays.stream(constants)
                .map(constant -> constant + " " + code.applyAsInt(constant))
                .collect(Collectors.joining(", "));
    }
}
