package io.parex.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/**
 * What was built.
 *
 * @param version the Maven version
 * @param commit the abbreviated git commit, {@code -dirty} behind it where the tree had changes, or {@code unknown}
 */
public record BuildInfo(String version, String commit) {

    private static final String RESOURCE = "build.properties";

    /** Reads what the build wrote. */
    public static BuildInfo read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing beside " + BuildInfo.class.getName());
            }
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BuildInfo(properties.getProperty("version"), properties.getProperty("commit"));
    }

    /** The line that {@code parex --version} prints. */
    static final class VersionLine implements IVersionProvider {
        @Override
        public String[] getVersion() {
            BuildInfo build = read();
            return new String[] {
                "parex %s (commit %s, Java %s)".formatted(build.version(), build.commit(), Runtime.version())
            };
        }
    }
}
