package io.parex.algorithm;

import io.parex.schedule.Blocks;
import io.parex.schedule.Buffer;
import io.parex.schedule.Folding;
import io.parex.schedule.ScheduleBuilder;

/**
 * Recursive doubling of an all_gather in the core of a folding: the partner of round k is 2^k away, and each side gives
 * the other all it has, which is always consecutive pieces.
 */
final class Doubling {
    private Doubling() {}

    /**
     * Adds the rounds of one rank of the core, which has its piece in the output.
     *
     * @param pieces one per number of the core
     * @param virtual this rank's number
     */
    static void allGather(ScheduleBuilder builder, Folding folding, Blocks pieces, int virtual) {
        for (int bit = 1; bit < folding.core(); bit <<= 1) {
            int peer = folding.actual(virtual ^ bit);
            int mine = virtual & -bit;
            int theirs = mine ^ bit;
            builder.send(peer, pieces.slice(Buffer.OUTPUT, mine, mine + bit));
            builder.recv(peer, pieces.slice(Buffer.OUTPUT, theirs, theirs + bit));
        }
    }
}
