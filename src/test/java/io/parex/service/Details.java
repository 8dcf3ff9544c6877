package io.parex.service;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.ErrorInfo;
import io.grpc.protobuf.StatusProto;
import io.parex.v1.CallError;

/** The details of a failed RPC. */
final class Details {
    private Details() {}

    static CallError callError(Throwable failure) {
        return detail(failure, CallError.class);
    }

    static ErrorInfo errorInfo(Throwable failure) {
        return detail(failure, ErrorInfo.class);
    }

    private static <T extends Message> T detail(Throwable failure, Class<T> type) {
        com.google.rpc.Status status = StatusProto.fromThrowable(failure);
        for (Any detail : status == null ? java.util.List.<Any>of() : status.getDetailsList()) {
            if (detail.is(type)) {
                try {
                    return detail.unpack(type);
                } catch (InvalidProtocolBufferException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        throw new AssertionError("no " + type.getSimpleName() + " in " + failure);
    }
}
