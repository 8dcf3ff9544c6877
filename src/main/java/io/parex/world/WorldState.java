package io.parex.world;

/** The life of a rank, forward only. */
public enum WorldState {
    /** Peers are missing; calls are refused as unavailable. */
    STARTING,
    /** Calls are taken. */
    READY,
    /** The others go on without this process, for good: they have lost it, or it was replaced. Calls are refused. */
    LOST,
    /** No new calls; those in flight are being ended. */
    CLOSING,
    /** Nothing refers to any caller's or peer's memory any more. */
    CLOSED
}
