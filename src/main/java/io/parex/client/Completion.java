package io.parex.client;

/**
 * How an operation ended well.
 *
 * @param source rank that sent what a receive got; -1 for other operations
 * @param tag tag of the message that a receive got; -1 for other operations
 * @param count elements moved into the caller's output
 */
public record Completion(int source, int tag, long count) {

    static Completion of(io.parex.v1.Completed completed) {
        return new Completion(
                completed.hasSource() ? completed.getSource() : -1,
                completed.hasTag() ? completed.getTag() : -1,
                completed.getCount());
    }
}
