package io.parex.world;

import io.parex.protocol.Failure;
import io.parex.protocol.Whereabouts;

/**
 * What is left of a group on one rank in an epoch that is over for it, for members that have not heard so.
 *
 * @param failure of what they wait for
 * @param whereabouts the calls before that were made, to which the failure does not apply; null if it applies to all
 */
record Ended(Failure failure, Whereabouts whereabouts) {

    /** Whether a call was made here before the end, so that nobody need wait for this rank in it. */
    boolean hasMade(long call) {
        return whereabouts != null && !whereabouts.misses(call);
    }
}
