package io.parex.cli;

import io.parex.service.Setting;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Settings that a command gives to the server before it starts. They become system properties, which Quarkus reads
 * before everything else, and which belong to this process as the command does.
 */
final class ServerSettings {
    /** 0 to 65535. */
    private static final Pattern PORT =
            Pattern.compile("0*(\\d{1,4}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])");

    private ServerSettings() {}

    /** A world of {@code ranks} ranks in this process, reached from this machine only, on ports that are free. */
    static void localWorld(int ranks) {
        System.setProperty("parex.world.size", Integer.toString(ranks));
        System.setProperty("parex.ranks-per-process", Integer.toString(ranks));
        // A trainer of another world may start this one, and has its own rank in its environment.
        System.setProperty("parex.rank", "0");
        for (String listener : new String[] {Server.GRPC, Server.MANAGEMENT, Server.HTTP}) {
            suggest(listener + ".host", "127.0.0.1");
            suggest(listener + ".port", "0");
        }
    }

    /** Sets what nobody has set. */
    private static void suggest(String setting, String value) {
        if (given(setting) == null) {
            System.setProperty(setting, value);
        }
    }

    /**
     * Refuses a port that is none before anything starts: found by its listener it would be, but others have begun to
     * listen by then, and are not silent about being stopped in the middle of it.
     */
    static void checkPorts() {
        for (Setting port :
                List.of(Setting.GRPC_PORT, Setting.MANAGEMENT_PORT, Setting.HTTP_PORT, Setting.FABRIC_PORT)) {
            String value = given(port.property());
            // An empty one is none: the default counts.
            if (value != null
                    && !value.isBlank()
                    && !PORT.matcher(value.strip()).matches()) {
                throw port.refusal(value);
            }
        }
    }

    private static String given(String setting) {
        String property = System.getProperty(setting);
        return property != null ? property : System.getenv(environmentName(setting));
    }

    private static String environmentName(String setting) {
        return setting.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
