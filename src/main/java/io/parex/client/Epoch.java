package io.parex.client;

import io.parex.v1.CallHeader;
import io.parex.v1.Opened;

/**
 * What a client knows of the epoch of its group; the rank refuses calls that are meant for another one.
 *
 * @param number sum of the generations of all ranks, 0 if it is not known
 * @param round of the last recovery
 */
record Epoch(long number, long round) {

    static Epoch of(Opened opened) {
        return new Epoch(opened.getEpoch(), opened.getRound());
    }

    static Epoch of(Recovered recovered) {
        return new Epoch(recovered.epoch(), recovered.round());
    }

    /** Says in a header that the call is meant for it. */
    void stamp(CallHeader.Builder header) {
        header.setRound(round);
        if (number > 0) {
            header.setEpoch(number);
        }
    }
}
