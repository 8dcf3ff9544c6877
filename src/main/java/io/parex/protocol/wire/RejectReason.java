package io.parex.protocol.wire;

/** Why a rank takes no connection. Codes are part of the protocol. */
public enum RejectReason {
    /** One that this version does not know; the text says it. */
    OTHER(0),
    /** What came was no handshake. */
    NOT_OUR_PROTOCOL(1),
    /** No version that both speak. */
    VERSION(2),
    /** The two are of different worlds. */
    WORLD_NAME(3),
    /** The two take the world for differently large. */
    WORLD_SIZE(4),
    /** Not the rank that was meant, or none of the world. */
    RANK(5),
    /** Another process is that rank already, and answers; worth another attempt, for it may end. */
    DUPLICATE_RANK(6),
    /**
     * There was another start of the rank, not before the sender's: a process that starts takes the next generation.
     */
    STALE(7),
    /** Not started yet; worth another attempt. */
    NOT_READY(8),
    /** A limit is reached; worth another attempt. */
    BUSY(9),
    /** The rank was lost as this process: the others go on without it, and take only another. */
    LOST(10),
    /** The two choose algorithms by different costs. */
    COSTS(11);

    private final int code;

    RejectReason(int code) {
        this.code = code;
    }

    /** The number that stands for this reason in the handshake. */
    public int code() {
        return code;
    }

    /** The reason of a code. */
    static RejectReason of(int code) {
        for (RejectReason reason : values()) {
            if (reason.code == code) {
                return reason;
            }
        }
        return OTHER;
    }
}
