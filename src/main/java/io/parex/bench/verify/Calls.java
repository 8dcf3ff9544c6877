package io.parex.bench.verify;

import io.parex.world.CallOptions;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import java.util.List;

/** How a rank makes the call of a check. */
@FunctionalInterface
interface Calls {

    /**
     * Makes the call on one rank. Returns at once, but for a send or a receive that is to block, whose partner has
     * called before.
     *
     * @param tensors of the rank, of each exchange
     * @return what has been started; none if the rank has no part in it, or it is over
     */
    List<Work> start(Check check, ProcessGroup group, List<Tensors> tensors, CallOptions options);
}
