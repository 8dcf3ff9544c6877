package io.parex.protocol.wire;

import io.parex.protocol.Whereabouts;

/** The body of an ANSWER after group and call. */
final class WhereaboutsCodec {
    private WhereaboutsCodec() {}

    static void write(BodyWriter body, Whereabouts whereabouts) {
        body.count("nextCall", whereabouts.nextCall())
                .u8(whereabouts.running() ? 1 : 0)
                .count("idleNanos", whereabouts.idleNanos())
                .text(whereabouts.lastCall(), WireLimits.NOTE_BYTES);
    }

    static Whereabouts read(BodyReader body) {
        long nextCall = body.count("nextCall");
        boolean running = body.flag("running");
        long idleNanos = body.count("idleNanos");
        return new Whereabouts(nextCall, body.text("lastCall", WireLimits.NOTE_BYTES), running, idleNanos);
    }
}
