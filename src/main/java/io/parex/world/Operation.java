package io.parex.world;

import io.parex.ErrorKind;

/** A running operation, as its handle and its deadline see it. Owner loop only. */
interface Operation {

    /** Ends the operation with a failure, unless it has ended. */
    void fail(ErrorKind kind, String text);
}
