package io.parex.client;

import io.parex.ParexException;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Settings of a connection.
 *
 * @param clientName named by the rank in messages about this client
 * @param connectTimeout limit for reaching the rank and opening the session; a rank that is still coming up is waited
 *     for
 * @param snapshotBytes messages of at most this size are copied when they are submitted, and the caller may change
 *     their memory at once; larger ones belong to the operation until it ends
 * @param snapshotLimitBytes copies that are not yet sent, of all operations together; a call, or a batch, whose copies
 *     go beyond it is refused
 * @param onEvent hears what the rank has to say, such as that it is shutting down; on the I/O thread
 */
public record ConnectOptions(
        String clientName,
        Duration connectTimeout,
        int snapshotBytes,
        long snapshotLimitBytes,
        Consumer<String> onEvent) {

    /** Most that {@link #snapshotBytes} may be. */
    public static final int MAX_SNAPSHOT_BYTES = 16 << 20;

    /** Name "java", 10 s to connect, copies of messages up to 1 MiB, 64 MiB of them, events ignored. */
    public static final ConnectOptions DEFAULT =
            new ConnectOptions("java", Duration.ofSeconds(10), 1 << 20, 64 << 20, event -> {});

    public ConnectOptions {
        Arguments.given(clientName, "client name");
        Arguments.given(connectTimeout, "connect timeout");
        Arguments.given(onEvent, "listener");
        if (!connectTimeout.isPositive()) {
            throw ParexException.argument("the connect timeout must be positive, not " + connectTimeout);
        }
        if (snapshotBytes < 0 || snapshotBytes > MAX_SNAPSHOT_BYTES) {
            throw ParexException.argument(
                    "snapshots of up to " + snapshotBytes + " bytes; at most " + MAX_SNAPSHOT_BYTES + " are allowed");
        }
        if (snapshotLimitBytes < snapshotBytes) {
            throw ParexException.argument("a limit of " + snapshotLimitBytes
                    + " bytes for all snapshots is less than the " + snapshotBytes + " bytes that one may have");
        }
    }

    /** These options under another name. */
    public ConnectOptions withClientName(String name) {
        return new ConnectOptions(name, connectTimeout, snapshotBytes, snapshotLimitBytes, onEvent);
    }

    /** These options with another limit for connecting. */
    public ConnectOptions withConnectTimeout(Duration limit) {
        return new ConnectOptions(clientName, limit, snapshotBytes, snapshotLimitBytes, onEvent);
    }

    /** These options with another size up to which messages are copied. */
    public ConnectOptions withSnapshotBytes(int bytes) {
        return new ConnectOptions(clientName, connectTimeout, bytes, snapshotLimitBytes, onEvent);
    }

    /** These options with another limit for the copies that are not yet sent. */
    public ConnectOptions withSnapshotLimitBytes(long bytes) {
        return new ConnectOptions(clientName, connectTimeout, snapshotBytes, bytes, onEvent);
    }

    /** These options with a listener. */
    public ConnectOptions withOnEvent(Consumer<String> listener) {
        return new ConnectOptions(clientName, connectTimeout, snapshotBytes, snapshotLimitBytes, listener);
    }
}
