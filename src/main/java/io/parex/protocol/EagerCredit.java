package io.parex.protocol;

/**
 * The sender's and the receiver's count of what may be sent over a link before the receiver has asked for it. Both ends
 * start from the same limits; the receiver raises them as it consumes. Owner loop only.
 */
public final class EagerCredit {
    private final long poolBytes;
    private final long poolEnvelopes;

    private long sentBytes;
    private long sentEnvelopes;
    private long limitBytes;
    private long limitEnvelopes;

    private long takenBytes;
    private long takenEnvelopes;
    private long toldBytes;
    private long toldEnvelopes;

    /** Credit for {@code poolBytes} eager bytes and {@code poolEnvelopes} unmatched messages each way. */
    public EagerCredit(long poolBytes, long poolEnvelopes) {
        this.poolBytes = poolBytes;
        this.poolEnvelopes = poolEnvelopes;
        limitBytes = poolBytes;
        limitEnvelopes = poolEnvelopes;
    }

    /** Sender: takes credit for {@code bytes} eager bytes if there is enough. */
    public boolean takeBytes(long bytes) {
        if (sentBytes + bytes > limitBytes) {
            return false;
        }
        sentBytes += bytes;
        return true;
    }

    /** Sender: takes credit for one message if there is some. */
    public boolean takeEnvelope() {
        if (sentEnvelopes == limitEnvelopes) {
            return false;
        }
        sentEnvelopes++;
        return true;
    }

    /** Sender: credit that {@link #takeEnvelope} gave was not used. */
    public void giveBackEnvelope() {
        sentEnvelopes--;
    }

    /** Sender: the receiver's newest limits; older ones change nothing. */
    public void limits(long bytes, long envelopes) {
        limitBytes = Math.max(limitBytes, bytes);
        limitEnvelopes = Math.max(limitEnvelopes, envelopes);
    }

    /** Receiver: eager bytes have been consumed or dropped. */
    public void consumedBytes(long bytes) {
        takenBytes += bytes;
    }

    /** Receiver: a message has been matched or dropped. */
    public void consumedEnvelope() {
        takenEnvelopes++;
    }

    /**
     * Receiver: the limits to tell the sender, or null while less than half a pool has come free since the last time.
     */
    public Frame.Credit due() {
        if (takenBytes - toldBytes < poolBytes / 2 && takenEnvelopes - toldEnvelopes < poolEnvelopes / 2) {
            return null;
        }
        toldBytes = takenBytes;
        toldEnvelopes = takenEnvelopes;
        return new Frame.Credit(takenBytes + poolBytes, takenEnvelopes + poolEnvelopes);
    }
}
