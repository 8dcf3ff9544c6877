package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/** Why the server did not start, in one sentence for the person who started it. */
final class StartFailure {
    private static final String MANAGEMENT_TEXT = "management interface";

    private StartFailure() {}

    /**
     * The error to report; one that nobody foresaw keeps its trace.
     *
     * @param thrown what Quarkus threw, or logged
     * @param grpc whether it is about the gRPC server
     */
    static RuntimeException explain(Exception thrown, boolean grpc) {
        List<Throwable> causes = Stream.iterate(thrown, Throwable.class::isInstance, Throwable::getCause)
                .toList();
        String listener = grpc
                ? Server.GRPC
                : causes.stream().anyMatch(StartFailure::isManagement) ? Server.MANAGEMENT : Server.HTTP;
        for (Throwable cause : causes) {
            switch (cause) {
                case ParexException known -> {
                    return known;
                }
                case ConfigValidationException invalid -> {
                    return ParexException.argument(problems(invalid));
                }
                case ConfigurationException wrong -> {
                    return ParexException.argument(wrong.getMessage());
                }
                default -> {
                    if (isBinding(cause)) {
                        return cannotListen(listener, cause.getMessage());
                    }
                }
            }
        }
        return new IllegalStateException("the server did not start", thrown);
    }

    private static boolean isManagement(Throwable cause) {
        return String.valueOf(cause.getMessage()).contains(MANAGEMENT_TEXT);
    }

    /** The native transport has an exception of its own. */
    private static boolean isBinding(Throwable cause) {
        return cause instanceof BindException
                || String.valueOf(cause.getMessage()).startsWith("bind(..) failed");
    }

    private static ParexException cannotListen(String listener, String message) {
        String reason = message.substring(message.lastIndexOf(':') + 1).strip();
        String setting = listener + ".port";
        String port = ConfigProvider.getConfig()
                .getOptionalValue(setting, String.class)
                .orElse("?");
        return new ParexException(
                ErrorKind.UNAVAILABLE,
                "cannot listen on port " + port + " (" + setting + "): " + reason + "; nothing was started");
    }

    private static String problems(ConfigValidationException invalid) {
        return IntStream.range(0, invalid.getProblemCount())
                .mapToObj(index -> invalid.getProblem(index).getMessage())
                .collect(Collectors.joining("; "));
    }
}
