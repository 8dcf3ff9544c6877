package io.parex.protocol.wire;

import io.parex.protocol.Frame;
import io.parex.protocol.Whereabouts;
import java.util.ArrayList;
import java.util.List;

/** The body of an ANSWER. */
final class AnswerCodec {
    private AnswerCodec() {}

    /** Writes what comes after group and call. */
    static void write(BodyWriter body, Frame.Answer answer) {
        Whereabouts whereabouts = answer.whereabouts();
        body.count("nextCall", whereabouts.nextCall())
                .u8(whereabouts.running() ? 1 : 0)
                .count("idleNanos", whereabouts.idleNanos())
                .text(whereabouts.lastCall(), WireLimits.NOTE_BYTES);
        List<Integer> ranks = answer.waitsFor();
        if (ranks.size() > WireLimits.RANKS) {
            throw body.wrong("waitsFor", "has " + ranks.size() + " ranks, more than " + WireLimits.RANKS);
        }
        body.u16(ranks.size());
        ranks.forEach(rank -> body.i32("waitsFor", rank, 0));
    }

    static Frame.Answer read(BodyReader body) {
        long group = body.i64("group");
        long call = body.count("call");
        long nextCall = body.count("nextCall");
        boolean running = body.flag("running");
        long idleNanos = body.count("idleNanos");
        String lastCall = body.text("lastCall", WireLimits.NOTE_BYTES);
        return new Frame.Answer(group, call, new Whereabouts(nextCall, lastCall, running, idleNanos), readRanks(body));
    }

    private static List<Integer> readRanks(BodyReader body) {
        int count = body.u16("waitsFor");
        if (count > WireLimits.RANKS) {
            throw body.wrong("waitsFor", "has " + count + " ranks, more than " + WireLimits.RANKS, 2);
        }
        List<Integer> ranks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranks.add(body.i32("waitsFor", 0));
        }
        return ranks;
    }
}
