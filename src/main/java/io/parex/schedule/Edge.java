package io.parex.schedule;

/**
 * A step waits for an earlier one. With {@code done} the earlier step's watermark (for a send, which can only be waited
 * for because its source is about to be overwritten: the watermark of what the peer has consumed) and {@code length}
 * its length, the later step may work through at most {@code done == length ? all : max(0, done + shift)} of its
 * elements; a whole edge allows none before {@code done == length}.
 *
 * <p>Whole edges join steps of length 0, for which {@code done == length} says nothing, to others: such a step is over
 * once its message was exchanged and every step that it waits for is over, and a step that waits for it neither starts
 * nor ends before that. They also bound how many steps are under way at once.
 *
 * @param from index of the earlier step
 * @param to index of the later step
 * @param shift offset of the earlier slice minus offset of the later slice, in elements
 * @param whole whether the later step waits for the end of the earlier one
 */
public record Edge(int from, int to, long shift, boolean whole) {

    /**
     * How many of its elements the later step may work through, as far as this edge is concerned.
     *
     * @param done watermark of the earlier step
     * @param over whether the earlier step is over
     */
    public long limit(long done, boolean over) {
        if (over) {
            return Long.MAX_VALUE;
        }
        return whole ? 0 : Math.max(0, done + shift);
    }
}
