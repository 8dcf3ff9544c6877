package io.parex.transport;

/**
 * What has happened to a rank's connections since its start.
 *
 * @param resumed connections over which a link has gone on after it had lost one before
 * @param refused connections that were refused by the process: strangers, other worlds, duplicates
 */
public record ConnectionStats(long resumed, long refused) {
    /** Of ranks that have no connections. */
    public static final ConnectionStats NONE = new ConnectionStats(0, 0);
}
