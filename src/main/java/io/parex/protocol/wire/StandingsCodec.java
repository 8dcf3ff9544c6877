package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import io.parex.protocol.Standing;
import java.util.ArrayList;
import java.util.List;

/** The body of a RECOVER frame. */
final class StandingsCodec {
    private StandingsCodec() {}

    static void write(BodyWriter body, Frame.Recover frame) {
        List<Standing> standings = frame.standings();
        if (standings.size() > WireLimits.STANDINGS) {
            throw body.wrong("standings", tooMany(standings.size()));
        }
        body.i64(frame.group()).u16(standings.size());
        for (Standing standing : standings) {
            body.i32("member", standing.member(), 0)
                    .count("generation", standing.generation())
                    .i64(standing.nonce())
                    .count("round", standing.round())
                    .count("epoch", standing.epoch())
                    .u8(Codes.of(standing.stage()))
                    .count("nextCall", standing.nextCall())
                    .count("completed", standing.completed());
        }
    }

    static Frame.Recover read(BodyReader body) {
        long group = body.i64("group");
        int count = body.u16("standings");
        if (count > WireLimits.STANDINGS) {
            throw body.wrong("standings", tooMany(count), Short.BYTES);
        }
        List<Standing> standings = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            standings.add(new Standing(
                    body.i32("member", 0),
                    body.count("generation"),
                    body.i64("nonce"),
                    body.count("round"),
                    body.count("epoch"),
                    body.constant("stage", Codes::stage),
                    body.count("nextCall"),
                    body.count("completed")));
        }
        return new Frame.Recover(group, standings);
    }

    private static String tooMany(int count) {
        return "are " + count + ", more than " + WireLimits.STANDINGS;
    }
}
