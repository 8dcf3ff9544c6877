package io.parex.world;

import io.parex.ErrorKind;

/** Who is told when a point-to-point operation, or one half of a send_recv, ends. Owner loop only. */
interface PartEnd {

    /** What carries the part out, before it starts. */
    void carriedOutBy(Operation operation);

    /** The part has ended well. */
    void completed(Completion completion);

    /** The part has failed. */
    void failed(ErrorKind kind, String text);
}
