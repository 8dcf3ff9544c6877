package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import java.util.ArrayList;
import java.util.List;

/** Lives in bodies of frames. */
final class LivesCodec {
    private LivesCodec() {}

    static void write(BodyWriter body, Frame.Lives frame) {
        List<Life> lives = frame.lives();
        if (lives.size() > WireLimits.LIVES) {
            throw body.wrong("lives", "are " + lives.size() + ", more than " + WireLimits.LIVES);
        }
        body.u16(lives.size());
        for (Life life : lives) {
            write(body, life);
        }
    }

    static BodyWriter write(BodyWriter body, Life life) {
        return body.i32("rank", life.rank(), 0)
                .count("generation", life.generation())
                .i64(life.nonce())
                .address(life.address());
    }

    static Frame.Lives read(BodyReader body) {
        int count = body.u16("lives");
        if (count > WireLimits.LIVES) {
            throw body.wrong("lives", "are " + count + ", more than " + WireLimits.LIVES, 2);
        }
        List<Life> lives = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            lives.add(readLife(body));
        }
        return new Frame.Lives(lives);
    }

    static Life readLife(BodyReader body) {
        return new Life(
                body.i32("rank", 0),
                body.count("generation"),
                body.i64("nonce"),
                body.text("address", WireLimits.ADDRESS_BYTES));
    }
}
