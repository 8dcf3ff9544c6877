package io.parex.transport;

import java.util.List;
import java.util.Map;

/**
 * What has happened to a rank's connections since its start.
 *
 * @param resumed connections over which a link has gone on after it had lost one before
 * @param refused connections that were refused by the process, by one of {@link #REASONS}
 */
public record ConnectionStats(long resumed, Map<String, Long> refused) {
    /** Why connections are refused: the names of the handshake's reasons. */
    public static final List<String> REASONS = List.of(
            "not_our_protocol", "version", "world_name", "world_size", "rank", "duplicate_rank", "busy", "costs");

    /** Of ranks that have no connections. */
    public static final ConnectionStats NONE = new ConnectionStats(0, Map.of());
}
