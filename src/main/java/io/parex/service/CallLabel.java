package io.parex.service;

import io.parex.ParexException;
import io.parex.v1.CallError;
import io.parex.v1.CallHeader;
import io.parex.v1.ErrorKind;

/**
 * What an error says about the call it ended.
 *
 * @param rank the hosted rank that made it, -1 where that is not known
 * @param primitive such as {@code all_reduce}, empty where not known
 * @param header what the client said
 */
record CallLabel(int rank, String primitive, CallHeader header) {

    /** For failures that belong to no call. */
    static final CallLabel NONE = new CallLabel(-1, "", CallHeader.getDefaultInstance());

    /** This label for a call of {@code known}. */
    CallLabel on(int known) {
        return new CallLabel(known, primitive, header);
    }

    /** {@code failure} as clients get it. */
    CallError error(ParexException failure) {
        CallError.Builder error = CallError.newBuilder()
                .setKind(ErrorKind.valueOf("ERROR_KIND_" + failure.kind().name()))
                .setMessage(failure.getMessage())
                .setGroup(header.getGroup())
                .setPrimitive(primitive)
                .setName(header.getName())
                .setNotStarted(failure.wasRefused());
        if (rank >= 0) {
            error.addRanks(rank);
        }
        if (header.hasCallNumber()) {
            error.setCallNumber(header.getCallNumber());
        }
        return error.build();
    }
}
