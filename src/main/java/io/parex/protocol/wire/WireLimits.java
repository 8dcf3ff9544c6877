package io.parex.protocol.wire;

/** Sizes that both ends of a connection rely on, in bytes. */
public final class WireLimits {
    /** Of a frame's header. */
    public static final int HEADER_BYTES = 32;

    /** Of what follows the header of a DATA frame, before the payload. */
    public static final int DATA_BODY_BYTES = 16;

    /** Of the checksum behind a payload. */
    public static final int PAYLOAD_CRC_BYTES = 4;

    /** Most payload in a frame: what another frame of the link waits for at the most, and what a bad checksum costs. */
    public static final int PAYLOAD_BYTES = 64 << 10;

    /** Most that follows the header of any other frame; twice the longest text. */
    public static final int BODY_BYTES = 16 << 10;

    /**
     * Payload is taken in units of this many bytes from the start of the frame's payload, but for the last one: a
     * multiple of all element sizes, so that elements are never split within a frame.
     */
    public static final int UNIT_BYTES = 16;

    /** Longest name of a call, an algorithm or a world. Names are compared, so a longer one is refused, never cut. */
    public static final int NAME_BYTES = 256;

    /** Longest text of a failure; longer ones are cut. */
    public static final int FAILURE_TEXT_BYTES = 8 << 10;

    /** Longest of the other texts for people: a call in words, why a connection ends; longer ones are cut. */
    public static final int NOTE_BYTES = 1 << 10;

    /** Longest address of a process. */
    public static final int ADDRESS_BYTES = 80;

    /** Most ranks in a list of them. */
    public static final int RANKS = 64;

    /** Most lives in a frame. */
    public static final int LIVES = 160;

    /** Most standings in a frame. */
    public static final int STANDINGS = 256;

    /** Of a handshake message before its body. */
    public static final int PREAMBLE_BYTES = 16;

    /** Longest body of a handshake message. */
    public static final int HANDSHAKE_BODY_BYTES = 1 << 10;

    /** Longest handshake message. */
    public static final int HANDSHAKE_BYTES = PREAMBLE_BYTES + HANDSHAKE_BODY_BYTES + 4;

    private WireLimits() {}
}
