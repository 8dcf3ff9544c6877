package io.parex.protocol;

import io.parex.ErrorKind;
import java.util.Objects;

/**
 * Why a call failed, the same on all members that hear of it.
 *
 * @param kind what callers decide by
 * @param origin group rank on which the failure was found
 * @param text what happened, without the call and what is now true, which each rank adds
 */
public record Failure(ErrorKind kind, int origin, String text) {

    public Failure {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(text);
    }
}
