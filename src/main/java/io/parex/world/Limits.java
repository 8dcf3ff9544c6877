package io.parex.world;

/** The limits of a rank, with their reasons. Sizes in bytes. */
final class Limits {
    /** Messages and transfers up to this size travel as copies before the receiver asks; larger ones wait for it. */
    static final long EAGER_BYTES = 64 << 10;

    /** Eager bytes that one peer may have outstanding at this rank: 64 full eager messages. */
    static final long EAGER_POOL_BYTES = 4 << 20;

    /** Messages of one peer that wait for a receive; about 200 bytes each. */
    static final long EAGER_POOL_ENVELOPES = 65_536;

    /**
     * Unit of pipelining: small enough for the second-level cache and for a turn of the loop, large against its cost.
     */
    static final long SEGMENT_BYTES = 128 << 10;

    /** Lent bytes of one transfer that the receiver has not returned yet. */
    static final long LENT_WINDOW_BYTES = 8 << 20;

    /** What a transfer may bring before its step can consume it: a few segments, so that a chain does not pause. */
    static final long LOOK_AHEAD_BYTES = 1 << 20;

    /** The same for all transfers of a peer together; it is kept in memory, if the link does not lend. */
    static final long LOOK_AHEAD_POOL_BYTES = 8 << 20;

    /** Window of a scratch buffer that only passes partial results on: room for a segment in and a segment out. */
    static final long PIPE_BYTES = 4 * SEGMENT_BYTES;

    /** Bytes that a rank reduces or copies before it lets other tasks of its loop run: well under a millisecond. */
    static final long TURN_BYTES = 1 << 20;

    /** Operations submitted and not ended on one rank. */
    static final int OPERATIONS_IN_FLIGHT = 262_144;

    /** Collective calls of one group in flight on one rank, and so how far a peer can be ahead. */
    static final int CALLS_IN_FLIGHT = 1024;

    /** Descriptors and failures of ended calls kept per group, for peers that ask or disagree late. */
    static final int CALLS_REMEMBERED = 1024;

    /** Groups up to this size ask every member who is missing; larger ones search. */
    static final int ASK_ALL_SIZE = 64;

    /** First question to the peers a call waits for; late enough never to happen in an undisturbed call. */
    static final long FIRST_INQUIRY_NANOS = 100_000_000L;

    /** Second question, to all members. */
    static final long SECOND_INQUIRY_NANOS = 1_000_000_000L;

    /** Questions of a round of a search beside two for each doubling of the group. */
    static final int MORE_QUESTIONS = 8;

    /** How long before a text is shown its questions are asked, at most: time for a few answers after a stall. */
    static final long ANSWER_NANOS = 250_000_000L;

    /** Longest name of a call or a world: names are compared between ranks, so none is ever cut. */
    static final int NAME_BYTES = 256;

    /** How often a rank that waits for others looks who they are. */
    static final long LOOK_NANOS = 1_000_000_000L;

    /** When it says so for the first time. */
    static final long FIRST_WAIT_LINE_NANOS = 3_000_000_000L;

    /** Lives of ranks in one frame, up to 102 bytes each. */
    static final int LIVES_PER_FRAME = 160;

    /** Standings of members in one frame, 53 bytes each. */
    static final int STANDINGS_PER_FRAME = 256;

    /** Starts of other processes as the same rank that a rank takes note of while it starts itself. */
    static final int RAISES = 16;

    /** How long a process may take to answer that there is another as its rank. */
    static final long CONFRONTED_NANOS = 2_000_000_000L;

    /**
     * Frames of one peer, but for messages, held for groups that were not created here yet, and for epochs that have
     * not begun here; their bytes are bounded by credit. They are held as long as a call may take.
     */
    static final int FRAMES_HELD = 8192;

    /** Groups of one rank that are not closed; about 10 KiB each. */
    static final int GROUPS = 1024;

    /** Groups of other names or members that a rank has ever created; about 100 bytes each. */
    static final int GROUP_NAMES = 1 << 18;

    private Limits() {}
}
