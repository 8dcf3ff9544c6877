package io.parex.cli;

import io.parex.service.Setting;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
        listeners(Given.here()).forEach(System::setProperty);
    }

    /** Of the listeners that all ranks have, what nobody has set: on loopback, on ports that are free. */
    static Map<String, String> listeners(Given given) {
        Map<String, String> settings = new LinkedHashMap<>();
        for (String listener : List.of(Server.GRPC, Server.MANAGEMENT, Server.HTTP)) {
            settings.put(listener + ".host", Server.LOOPBACK);
            settings.put(listener + ".port", "0");
        }
        settings.keySet().removeIf(setting -> given.value(setting).isPresent());
        return settings;
    }

    /**
     * Refuses a port that is none before anything starts: found by its listener it would be, but others have begun to
     * listen by then, and are not silent about being stopped in the middle of it.
     */
    static void checkPorts() {
        Given given = Given.here();
        for (Setting port :
                List.of(Setting.GRPC_PORT, Setting.MANAGEMENT_PORT, Setting.HTTP_PORT, Setting.FABRIC_PORT)) {
            // An empty one is none: the default counts.
            given.value(port).filter(value -> !PORT.matcher(value).matches()).ifPresent(value -> {
                throw port.refusal(value);
            });
        }
    }
}
