package io.parex.service;

import com.google.protobuf.Any;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.parex.ErrorKind;
import io.parex.v1.CallError;
import java.util.Locale;
import java.util.stream.Collectors;

/** Failures as gRPC statuses, with the kind and the ranks in the details. */
final class ErrorStatus {
    /** Domain of the {@link ErrorInfo} in the details. */
    static final String DOMAIN = "parex.io";

    /** Statuses travel in HTTP/2 headers, of which clients take 8 KiB; the text is in there twice, once in base 64. */
    private static final int MAX_TEXT = 1500;

    private ErrorStatus() {}

    /**
     * The code for {@code kind}. UNAVAILABLE only where nothing was started: meshes and clients repeat such calls by
     * themselves, and a collective would run twice.
     */
    static Status.Code code(ErrorKind kind) {
        return switch (kind) {
            case ARGUMENT -> Status.Code.INVALID_ARGUMENT;
            case MISMATCH -> Status.Code.FAILED_PRECONDITION;
            case TIMEOUT -> Status.Code.DEADLINE_EXCEEDED;
            case PEER_FAILED, ABORTED, LEFT, DEADLOCK -> Status.Code.ABORTED;
            case UNSUPPORTED -> Status.Code.UNIMPLEMENTED;
            case PROTOCOL -> Status.Code.INTERNAL;
            case UNAVAILABLE -> Status.Code.UNAVAILABLE;
            case OVERLOADED -> Status.Code.RESOURCE_EXHAUSTED;
            case CANCELLED -> Status.Code.CANCELLED;
        };
    }

    /** The end of an RPC whose call failed with {@code error}. */
    static StatusRuntimeException of(CallError error) {
        ErrorKind kind = ErrorKind.valueOf(error.getKind().name().substring("ERROR_KIND_".length()));
        CallError brief =
                error.toBuilder().setMessage(shortened(error.getMessage())).build();
        ErrorInfo info = ErrorInfo.newBuilder()
                .setReason(kind.name())
                .setDomain(DOMAIN)
                .putMetadata("kind", kind.label())
                .putMetadata("ranks", ranks(error))
                .putMetadata("group", error.getGroup())
                .putMetadata("call", call(error))
                .putMetadata("not_started", Boolean.toString(error.getNotStarted()))
                .build();
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(code(kind).value())
                .setMessage(brief.getMessage())
                .addDetails(Any.pack(info))
                .addDetails(Any.pack(brief))
                .build());
    }

    private static String ranks(CallError error) {
        return error.getRanksList().stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    /** Such as {@code all_reduce 'layer3' #17}. */
    private static String call(CallError error) {
        return (error.getPrimitive()
                        + (error.getName().isEmpty() ? "" : " '" + error.getName() + "'")
                        + (error.hasCallNumber() ? String.format(Locale.ROOT, " #%d", error.getCallNumber()) : ""))
                .strip();
    }

    private static String shortened(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
    }
}
