package io.parex.world;

/**
 * How an operation ended well.
 *
 * @param source rank that sent what a receive got; -1 for other operations
 * @param tag tag of the message that a receive got; -1 for other operations
 * @param count elements moved into the output of this rank
 */
public record Completion(int source, int tag, long count) {

    static Completion ofCollective(long count) {
        return new Completion(-1, -1, count);
    }
}
