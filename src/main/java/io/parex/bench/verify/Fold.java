package io.parex.bench.verify;

import java.lang.foreign.MemorySegment;
import java.util.List;

/** What a reduction must give: all inputs combined in the order of the ranks, one after the other, in plain Java. */
interface Fold {

    /**
     * Compares a result with what it must be.
     *
     * @param inputs of all ranks, as many elements as the result
     * @return what is wrong with it; null if nothing
     */
    String fault(List<MemorySegment> inputs, MemorySegment result);

    /** That of a check, whose algorithm reduces in the order of the ranks or in any. */
    static Fold of(Check check, boolean inRankOrder) {
        return Numbers.isFloating(check.type()) ? new RealFold(check, inRankOrder) : new IntegerFold(check);
    }
}
