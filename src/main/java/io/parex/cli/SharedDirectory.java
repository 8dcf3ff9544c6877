package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Setting;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The directory for the sockets at which the processes of a job get memory shared with their ranks: one that is there
 * for this world alone, unless one was set. Any thread.
 */
final class SharedDirectory implements AutoCloseable {
    /** The address of a socket has little room. */
    private static final int MOST_PATH_LENGTH = 80;

    private final Path made;

    private SharedDirectory(Path made) {
        this.made = made;
    }

    /**
     * Makes it, for this user alone, if none is set.
     *
     * @throws ParexException of kind {@code unavailable} if it cannot be made
     */
    static SharedDirectory make(Given given) {
        if (given.value(Setting.SHARED_DIRECTORY).isPresent()) {
            return new SharedDirectory(null);
        }
        Path usual = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return new SharedDirectory(Files.createTempDirectory(
                    usual.toString().length() > MOST_PATH_LENGTH ? Path.of("/tmp") : usual, "parex-"));
        } catch (IOException e) {
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "no directory for sockets can be made in " + usual + ": " + e, e);
        }
    }

    /** What a process that serves ranks is to be told; nothing if it knows. */
    Map<String, String> settings() {
        return made == null ? Map.of() : Map.of(Setting.SHARED_DIRECTORY.property(), made.toString());
    }

    /** Removes it, with the sockets of ranks that could not do that. Idempotent. */
    @Override
    public void close() {
        if (made == null || !Files.exists(made)) {
            return;
        }
        try {
            try (DirectoryStream<Path> left = Files.newDirectoryStream(made)) {
                for (Path each : left) {
                    Files.deleteIfExists(each);
                }
            }
            Files.deleteIfExists(made);
        } catch (IOException e) {
            System.err.println("parex: " + made + " is left behind: " + e);
        }
    }
}
