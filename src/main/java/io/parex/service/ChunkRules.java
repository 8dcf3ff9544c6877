package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;

/** What a chunk of input must be like. */
final class ChunkRules {
    private ChunkRules() {}

    /**
     * Why {@code size} more bytes of the input are refused, null if they are not.
     *
     * @param taken bytes before them
     * @param credit bytes that may have been sent in all
     */
    static ParexException refuse(int size, long taken, long credit, CallPlan plan) {
        Shape input = plan.input();
        if (input == null) {
            return ParexException.argument(plan.primitive().label() + " takes no input on rank " + plan.rank()
                    + ", but a chunk of " + size + " bytes came");
        }
        String chunk = "a chunk of " + size + " bytes at byte " + taken;
        if (size > EdgeLimits.MAX_CHUNK_BYTES) {
            return ParexException.argument(chunk + " is larger than the " + EdgeLimits.MAX_CHUNK_BYTES
                    + " taken; send the tensor in smaller ones");
        }
        String elements = input.count() + " " + input.type().label();
        if (size % input.type().bytes() != 0) {
            return ParexException.argument(chunk + " of " + elements + " is not a whole number of elements");
        }
        if (size > input.bytes() - taken) {
            return ParexException.argument(
                    chunk + " goes beyond the " + input.bytes() + " bytes of the " + elements + " declared");
        }
        if (size > credit - taken) {
            return new ParexException(
                    ErrorKind.PROTOCOL, chunk + " goes beyond the credit, which ends at byte " + credit);
        }
        return null;
    }
}
