package io.parex.service;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.StatusRuntimeException;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.ParexGrpc;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.inject.Singleton;

/**
 * Refuses calls until the ranks of this process have been started. The gRPC server listens before that: were the ranks
 * made for it, its event loop would have to wait, for a name server for example. Any thread.
 */
@GlobalInterceptor
@Singleton
class StartGate implements ServerInterceptor {
    private volatile boolean open;

    /** The ranks are there. */
    void open() {
        open = true;
    }

    @Override
    public <Q, S> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, S> call, Metadata headers, ServerCallHandler<Q, S> next) {
        // Health and reflection can tell without them.
        if (open || !ParexGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
            return next.startCall(call, headers);
        }
        StatusRuntimeException refusal = ErrorStatus.of(CallLabel.NONE.error(ParexException.refused(
                ErrorKind.UNAVAILABLE, "starting: no calls are taken yet; nothing was started")));
        call.close(refusal.getStatus(), refusal.getTrailers());
        return new ServerCall.Listener<>() {};
    }
}
