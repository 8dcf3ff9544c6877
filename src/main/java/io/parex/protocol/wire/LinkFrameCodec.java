package io.parex.protocol.wire;

/** The bodies of the frames of the link itself. */
final class LinkFrameCodec {
    private LinkFrameCodec() {}

    static void write(BodyWriter body, LinkFrame frame) {
        switch (frame) {
            case LinkFrame.Resume resume -> {
                if (resume.bytes() > WireLimits.PAYLOAD_BYTES) {
                    throw body.wrong("bytes", tooMany(resume.bytes()));
                }
                body.count("frame", resume.frame()).i32("bytes", resume.bytes(), 0);
            }
            case LinkFrame.Ping ping -> body.i64(ping.token());
            case LinkFrame.Pong pong -> body.i64(pong.token());
            case LinkFrame.Ack _ -> {}
            case LinkFrame.Close close -> body.text(close.reason(), WireLimits.NOTE_BYTES);
        }
    }

    /** Whether frames of this type are read here. */
    static boolean reads(FrameType type) {
        return switch (type) {
            case RESUME, PING, PONG, ACK, CLOSE -> true;
            default -> false;
        };
    }

    static LinkFrame read(FrameType type, BodyReader body) {
        return switch (type) {
            case RESUME -> readResume(body);
            case PING -> new LinkFrame.Ping(body.i64("token"));
            case PONG -> new LinkFrame.Pong(body.i64("token"));
            case ACK -> new LinkFrame.Ack();
            case CLOSE -> new LinkFrame.Close(body.text("reason", WireLimits.NOTE_BYTES));
            default -> throw new IllegalArgumentException(type + " is read elsewhere");
        };
    }

    private static LinkFrame.Resume readResume(BodyReader body) {
        long frame = body.count("frame");
        int bytes = body.i32("bytes", 0);
        if (bytes > WireLimits.PAYLOAD_BYTES) {
            throw body.wrong("bytes", tooMany(bytes), Integer.BYTES);
        }
        return new LinkFrame.Resume(frame, bytes);
    }

    private static String tooMany(int bytes) {
        return bytes + " is more than a payload, " + WireLimits.PAYLOAD_BYTES;
    }
}
