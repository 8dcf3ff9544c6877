package io.parex.client;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.protobuf.StatusProto;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallError;

/** What the rank says of failures, as exceptions. */
final class Failures {
    private Failures() {}

    static ParexException of(CallError error) {
        ParexException failure = new ParexException(kind(error), error.getMessage());
        return error.getNotStarted() ? failure.asRefused() : failure;
    }

    private static ErrorKind kind(CallError error) {
        try {
            return ErrorKind.valueOf(error.getKind().name().substring("ERROR_KIND_".length()));
        } catch (IllegalArgumentException e) {
            // A kind of a newer server.
            return ErrorKind.PROTOCOL;
        }
    }

    /** The failure of an RPC: what its details say, else what its code means; {@code what} leads the text. */
    static ParexException of(String what, Throwable failure) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        if (status != null) {
            for (Any detail : status.getDetailsList()) {
                if (detail.is(CallError.class)) {
                    try {
                        return of(detail.unpack(CallError.class));
                    } catch (InvalidProtocolBufferException e) {
                        return new ParexException(ErrorKind.PROTOCOL, what + ": unreadable details: " + e, failure);
                    }
                }
            }
        }
        Status plain = Status.fromThrowable(failure);
        return new ParexException(
                kind(plain.getCode()),
                what + ": " + plain.getCode() + (plain.getDescription() == null ? "" : ": " + plain.getDescription()),
                failure);
    }

    private static ErrorKind kind(Status.Code code) {
        return switch (code) {
            case INVALID_ARGUMENT, OUT_OF_RANGE, NOT_FOUND, ALREADY_EXISTS -> ErrorKind.ARGUMENT;
            case FAILED_PRECONDITION -> ErrorKind.MISMATCH;
            case DEADLINE_EXCEEDED -> ErrorKind.TIMEOUT;
            case ABORTED -> ErrorKind.ABORTED;
            case UNIMPLEMENTED -> ErrorKind.UNSUPPORTED;
            case UNAVAILABLE -> ErrorKind.UNAVAILABLE;
            case RESOURCE_EXHAUSTED -> ErrorKind.OVERLOADED;
            case CANCELLED -> ErrorKind.CANCELLED;
            case OK, UNKNOWN, INTERNAL, DATA_LOSS, PERMISSION_DENIED, UNAUTHENTICATED -> ErrorKind.PROTOCOL;
        };
    }
}
