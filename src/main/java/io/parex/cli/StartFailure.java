package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Setting;
import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigValidationException;
import java.net.BindException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.ConfigProvider;

/** Why the server did not start, in one sentence for the person who started it. */
final class StartFailure {
    private static final String MANAGEMENT_TEXT = "management interface";
    private static final int MAX_PORT = 65_535;

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
                    return SettingFailure.explain(problem(invalid));
                }
                case ConfigurationException wrong -> {
                    return SettingFailure.explain(wrong.getMessage());
                }
                default -> {
                    if (isBinding(cause)) {
                        return cannotListen(listener, cause.getMessage());
                    }
                }
            }
        }
        return portThatIsNone().orElseGet(() -> new IllegalStateException("the server did not start", thrown));
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

    /** What comes of a port out of range differs from listener to listener, and does not name the setting. */
    private static Optional<RuntimeException> portThatIsNone() {
        return Stream.of(Setting.GRPC_PORT, Setting.MANAGEMENT_PORT, Setting.HTTP_PORT)
                .flatMap(setting ->
                        ConfigProvider.getConfig().getOptionalValue(setting.property(), Integer.class).stream()
                                .filter(port -> port < 0 || port > MAX_PORT)
                                .<RuntimeException>map(setting::refusal))
                .findFirst();
    }

    /** The first: they follow from each other, and the next start tells of the next. */
    private static String problem(ConfigValidationException invalid) {
        return invalid.getProblemCount() == 0
                ? invalid.getMessage()
                : invalid.getProblem(0).getMessage();
    }
}
