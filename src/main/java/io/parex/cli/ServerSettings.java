package io.parex.cli;

import java.util.Locale;

/**
 * Settings that a command gives to the server before it starts. They become system properties, which Quarkus reads
 * before everything else, and which belong to this process as the command does.
 */
final class ServerSettings {
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
        if (System.getenv(environmentName(setting)) == null && System.getProperty(setting) == null) {
            System.setProperty(setting, value);
        }
    }

    private static String environmentName(String setting) {
        return setting.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
