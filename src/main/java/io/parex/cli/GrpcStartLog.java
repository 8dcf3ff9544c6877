package io.parex.cli;

import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Why the gRPC server did not start. Quarkus logs that and goes on without it; its log goes here instead of to the
 * console, as application.properties says.
 */
final class GrpcStartLog extends Handler {
    private final Logger logger = Logger.getLogger("io.quarkus.grpc.runtime.GrpcServerRecorder");
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** Listens from now on. */
    GrpcStartLog() {
        logger.addHandler(this);
    }

    /** What was thrown, or that it is not known. */
    Exception failure() {
        return new IllegalStateException("the gRPC server did not start", failure.get());
    }

    @Override
    public void publish(LogRecord record) {
        failure.compareAndSet(null, record.getThrown());
    }

    @Override
    public void flush() {
        // Nothing is kept back.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
