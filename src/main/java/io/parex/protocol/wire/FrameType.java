package io.parex.protocol.wire;

import io.parex.protocol.Frame;

/**
 * The kinds of frames by their codes. A receiver passes over a frame whose code it does not know if the code is below
 * 128, and refuses it from 128 on; so codes below are for frames that a peer may do without.
 */
public enum FrameType {
    INQUIRE(0x01, true),
    ANSWER(0x02, true),
    PING(0x03, false),
    PONG(0x04, false),
    ACK(0x05, false),
    OPEN(0x80, true),
    OPENED(0x81, true),
    GRANT(0x82, true),
    ENVELOPE(0x83, true),
    ACCEPT(0x84, true),
    REFUSE(0x85, true),
    DATA(0x86, true),
    RELEASED(0x87, true),
    WITHDRAW(0x88, true),
    CREDIT(0x89, true),
    FAIL(0x8A, true),
    LEAVE(0x8B, true),
    RESUME(0x8C, false),
    CLOSE(0x8D, true),
    REJOIN(0x8E, true),
    REJOINED(0x8F, true),
    LIVES(0x90, true),
    LOST(0x91, true),
    RECOVER(0x92, true);

    /** The first code that a receiver must understand. */
    static final int FIRST_MANDATORY = 0x80;

    private static final FrameType[] BY_CODE = new FrameType[256];

    static {
        for (FrameType type : values()) {
            BY_CODE[type.code] = type;
        }
    }

    private final int code;
    private final boolean sequenced;

    FrameType(int code, boolean sequenced) {
        this.code = code;
        this.sequenced = sequenced;
    }

    /** The number that stands for this type in headers. */
    public int code() {
        return code;
    }

    /** Whether frames of this type are numbered, acknowledged and sent again on the next connection. */
    public boolean isSequenced() {
        return sequenced;
    }

    /** The type of a code from 0 to 255, null if unknown. */
    public static FrameType of(int code) {
        return BY_CODE[code];
    }

    /** The type of a frame. */
    public static FrameType of(Frame frame) {
        return switch (frame) {
            case Frame.Open _ -> OPEN;
            case Frame.Opened _ -> OPENED;
            case Frame.Grant _ -> GRANT;
            case Frame.Envelope _ -> ENVELOPE;
            case Frame.Accept _ -> ACCEPT;
            case Frame.Refuse _ -> REFUSE;
            case Frame.Data _ -> DATA;
            case Frame.Released _ -> RELEASED;
            case Frame.Withdraw _ -> WITHDRAW;
            case Frame.Credit _ -> CREDIT;
            case Frame.Fail _ -> FAIL;
            case Frame.Inquire _ -> INQUIRE;
            case Frame.Answer _ -> ANSWER;
            case Frame.Leave _ -> LEAVE;
            case Frame.Rejoin _ -> REJOIN;
            case Frame.Rejoined _ -> REJOINED;
            case Frame.Lives _ -> LIVES;
            case Frame.Lost _ -> LOST;
            case Frame.Recover _ -> RECOVER;
        };
    }

    /** The type of a frame of the link itself. */
    public static FrameType of(LinkFrame frame) {
        return switch (frame) {
            case LinkFrame.Resume _ -> RESUME;
            case LinkFrame.Ping _ -> PING;
            case LinkFrame.Pong _ -> PONG;
            case LinkFrame.Ack _ -> ACK;
            case LinkFrame.Close _ -> CLOSE;
        };
    }
}
