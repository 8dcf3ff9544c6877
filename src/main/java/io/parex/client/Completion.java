package io.parex.client;

import java.util.List;

/**
 * How an operation ended well.
 *
 * @param source rank that sent what a receive got; -1 for other operations
 * @param tag tag of the message that a receive got; -1 for other operations
 * @param count elements moved into the caller's output
 * @param lengths of a V form: elements of each block of this rank's output, in order, of all ranks or of its own; empty
 *     where it has no output, and for other operations
 */
public record Completion(int source, int tag, long count, List<Long> lengths) {

    public Completion {
        lengths = List.copyOf(lengths);
    }

    /** An operation without blocks. */
    public Completion(int source, int tag, long count) {
        this(source, tag, count, List.of());
    }

    static Completion of(io.parex.v1.Completed completed) {
        return new Completion(
                completed.hasSource() ? completed.getSource() : -1,
                completed.hasTag() ? completed.getTag() : -1,
                completed.getCount(),
                completed.getLengthsList());
    }
}
