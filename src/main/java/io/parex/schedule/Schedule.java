package io.parex.schedule;

import java.util.List;

/**
 * What one rank does in one collective: steps, what each waits for, and the scratch they need. Immutable and free of
 * memory and peers' state, hence cached and shared by calls of the same shape. Made by {@link ScheduleBuilder} only.
 *
 * @param primitive what is computed
 * @param algorithm name of the algorithm, such as {@code ring}
 * @param rank the rank it is for
 * @param size ranks of the group
 * @param steps in the order in which the author listed them
 * @param edges in ascending order of {@code to}
 * @param scratch the scratch buffers, by index
 */
public record Schedule(
        Primitive primitive,
        String algorithm,
        int rank,
        int size,
        List<Step> steps,
        List<Edge> edges,
        List<Scratch> scratch) {

    /**
     * A scratch buffer.
     *
     * @param length in elements
     * @param pipe whether exactly one step writes it, from first to last element, and exactly one later send reads all
     *     of it: then a window that is reused as the send's bytes are consumed is enough memory
     */
    public record Scratch(long length, boolean pipe) {}
}
