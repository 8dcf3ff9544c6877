package io.parex.world;

/** What the steps of a running schedule need of the ranks around them. Peers are group ranks. Owner loop only. */
interface Wire {

    /** Announces a transfer of the call to {@code peer}. */
    OutTransfer open(int peer, int ordinal, long bytes, ByteSpace source, Runnable onProgress);

    /** Tells {@code peer} that the first {@code bytes} bytes of its transfer number {@code ordinal} are taken. */
    void grant(int peer, int ordinal, long bytes);

    /**
     * Takes some of what {@code peer} may send before this rank can consume it; it has to be kept until then.
     *
     * @return how much of {@code bytes} there is
     */
    long takeLookAhead(int peer, long bytes);

    /** Gives back what {@link #takeLookAhead} gave. */
    void returnLookAhead(int peer, long bytes);

    /** Whether nothing more is needed to know that {@code peer} made the same call. */
    boolean agreed(int peer);
}
