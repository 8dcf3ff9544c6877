package io.parex.client;

import io.parex.v1.CallHeader;
import io.parex.v1.Group;
import io.parex.v1.Opened;

/**
 * What a client knows of the epoch of its group; the rank refuses calls that are meant for another one.
 *
 * @param group its name, empty for that of all ranks
 * @param number sum of the generations of all members, 0 if it is not known
 * @param round of the last recovery
 */
record Epoch(String group, long number, long round) {

    static Epoch of(Opened opened) {
        return new Epoch("", opened.getEpoch(), opened.getRound());
    }

    static Epoch of(Group group) {
        return new Epoch(group.getName(), group.getEpoch(), group.getRound());
    }

    static Epoch of(String group, Recovered recovered) {
        return new Epoch(group, recovered.epoch(), recovered.round());
    }

    /** Says in a header that the call is meant for it. */
    void stamp(CallHeader.Builder header) {
        header.setGroup(group).setRound(round);
        if (number > 0) {
            header.setEpoch(number);
        }
    }
}
