package io.parex.bench;

import io.parex.schedule.Primitive;

/**
 * One table: a primitive over all sizes.
 *
 * @param primitive what is called; {@code SEND} and {@code RECV} both mean a message to and fro between ranks 0 and 1
 * @param algorithm name of the algorithm, such as {@code ring}; null: the planner chooses for each size
 * @param caller who calls
 */
public record Series(Primitive primitive, String algorithm, CallerKind caller) {

    /** Whether the calls carry a tensor; if not, there is one point only. */
    public boolean hasSizes() {
        return primitive != Primitive.BARRIER;
    }

    @Override
    public String toString() {
        return primitive.label() + (algorithm == null ? "" : " " + algorithm) + ", caller " + caller.label();
    }
}
