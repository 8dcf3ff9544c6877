package io.parex.protocol.wire;

import io.parex.protocol.View;

/** The bodies of the handshake. A later version may add fields at the end, which an earlier one passes over. */
final class HandshakeCodec {
    private static final int LAST_LANE = 0xFFFF;

    private HandshakeCodec() {}

    static void write(BodyWriter body, Hello hello) {
        if (hello.lane() < 0 || hello.lane() > LAST_LANE) {
            throw body.wrong("lane", hello.lane() + " is not within 0 to " + LAST_LANE);
        }
        body.i64(hello.features())
                .i32("worldSize", hello.worldSize(), 1)
                .i32("from", hello.from(), 0)
                .i32("to", hello.to(), 0)
                .count("generation", hello.generation())
                .i64(hello.nonce())
                .count("connection", hello.connection())
                .u16(hello.lane())
                .name("world", hello.world())
                .address(hello.address())
                .i64(hello.costs());
    }

    static void write(BodyWriter body, Reject reject) {
        int room = WireLimits.HANDSHAKE_BODY_BYTES - 2 * Short.BYTES - 6 * Long.BYTES - Integer.BYTES;
        body.u16(reject.reason().code())
                .count("connection", reject.connection())
                .count("generation", reject.generation())
                .count("byGeneration", reject.byGeneration())
                .i64(reject.byNonce())
                .i32("present", reject.view().present(), 0)
                .count("epoch", reject.view().epoch())
                .i64(reject.view().lives())
                .text(reject.text(), room);
    }

    static Handshake read(Preamble preamble, BodyReader body) {
        Handshake message = preamble.code() == Preamble.HELLO ? readHello(body) : readReject(body);
        if (!preamble.isOfLaterVersion()) {
            body.end();
        }
        return message;
    }

    private static Hello readHello(BodyReader body) {
        return new Hello(
                body.i64("features"),
                body.i32("worldSize", 1),
                body.i32("from", 0),
                body.i32("to", 0),
                body.count("generation"),
                body.i64("nonce"),
                body.count("connection"),
                body.u16("lane"),
                body.name("world"),
                body.text("address", WireLimits.ADDRESS_BYTES),
                body.i64("costs"));
    }

    private static Reject readReject(BodyReader body) {
        RejectReason reason = RejectReason.of(body.u16("reason"));
        long connection = body.count("connection");
        long generation = body.count("generation");
        long byGeneration = body.count("byGeneration");
        long byNonce = body.i64("byNonce");
        View view = new View(body.i32("present", 0), body.count("epoch"), body.i64("lives"));
        String text = body.text("text", WireLimits.HANDSHAKE_BODY_BYTES);
        return new Reject(reason, connection, generation, byGeneration, byNonce, view, text);
    }
}
