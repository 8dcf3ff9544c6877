package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;

/** What a header may say. */
final class HeaderRules {
    private static final int KNOWN_FLAGS = Header.PAYLOAD_CRC | Header.ACK_NOW | Header.VOID;

    private HeaderRules() {}

    /** The length, as far as the type is known: what to wait for, so it is checked before the checksum can be. */
    static void requireLengths(Header header, Kind kind) {
        FrameType type = header.type();
        int least = type == FrameType.DATA ? header.besidePayload() : 0;
        int most = type == FrameType.DATA ? least + mostPayload(header) : WireLimits.BODY_BYTES;
        if (header.length() < least || header.length() > most) {
            String length = Integer.toUnsignedString(header.length());
            throw wrong(kind, header, "length " + length + " is not within " + least + " to " + most);
        }
    }

    private static int mostPayload(Header header) {
        return header.has(Header.VOID) ? 0 : Math.max(0, WireLimits.PAYLOAD_BYTES - header.start());
    }

    /** All other fields. */
    static void requireValues(Header header, Kind kind) {
        if (header.number() < 0 || header.ackFrame() < 0) {
            throw wrong(kind, header, "number " + header.number() + ", ackFrame " + header.ackFrame() + ": negative");
        }
        if (header.ackBytes() < 0 || header.ackBytes() > WireLimits.PAYLOAD_BYTES) {
            throw wrong(
                    kind,
                    header,
                    "ackBytes " + Integer.toUnsignedString(header.ackBytes()) + " is more than a payload, "
                            + WireLimits.PAYLOAD_BYTES);
        }
        FrameType type = header.type();
        if (type == null && header.code() >= FrameType.FIRST_MANDATORY) {
            throw wrong(kind, header, "must be understood, and is not by this version");
        }
        if (type == null) {
            return; // A later version knows what its flags and its number mean.
        }
        if (type.isSequenced() != header.number() > 0) {
            throw wrong(kind, header, type.isSequenced() ? "number 0" : "number " + header.number() + ", must be 0");
        }
        requireFlags(header, type, kind);
    }

    private static void requireFlags(Header header, FrameType type, Kind kind) {
        if ((header.flags() & ~KNOWN_FLAGS) != 0) {
            throw wrong(kind, header, "flags 0x" + Integer.toHexString(header.flags()) + " are not all known");
        }
        boolean ofData = header.has(Header.PAYLOAD_CRC | Header.VOID) || header.start() != 0;
        if (ofData && type != FrameType.DATA) {
            throw wrong(
                    kind,
                    header,
                    "flags 0x" + Integer.toHexString(header.flags()) + ", start " + header.start() + ": for DATA only");
        }
        if (header.has(Header.VOID) && header.has(Header.PAYLOAD_CRC)) {
            throw wrong(kind, header, "is void, so has no payload to check");
        }
        if (header.start() < 0 || header.start() % WireLimits.UNIT_BYTES != 0) {
            throw wrong(kind, header, "start " + header.start() + " is no multiple of " + WireLimits.UNIT_BYTES);
        }
    }

    private static WireException wrong(Kind kind, Header header, String what) {
        return new WireException(kind, "header of " + header + ": " + what);
    }
}
