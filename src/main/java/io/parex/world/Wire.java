package io.parex.world;

/** What the steps of a running schedule need of the ranks around them. Peers are group ranks. Owner loop only. */
interface Wire {

    /** Announces a transfer of the call to {@code peer}. */
    OutTransfer open(int peer, int ordinal, long bytes, ByteSpace source, Runnable onProgress);

    /** Tells {@code peer} that the first {@code bytes} bytes of its transfer number {@code ordinal} are taken. */
    void grant(int peer, int ordinal, long bytes);

    /** Whether nothing more is needed to know that {@code peer} made the same call. */
    boolean agreed(int peer);
}
