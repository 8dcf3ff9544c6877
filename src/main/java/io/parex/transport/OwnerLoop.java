package io.parex.transport;

import io.parex.protocol.link.Timing;

/**
 * The one thread on which all state of a rank is touched. Tasks run one at a time, those of one submitter in the order
 * given; none may block.
 */
public interface OwnerLoop extends Timing {

    /** Whether the calling thread is this loop's. */
    boolean inLoop();
}
