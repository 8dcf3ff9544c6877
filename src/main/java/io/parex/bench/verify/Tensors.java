package io.parex.bench.verify;

import io.parex.bench.Exchange;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.MemorySegment;

/**
 * The tensors of one rank in one exchange.
 *
 * @param given what the rank gives, which nobody else has; null if nothing
 * @param input the same in memory that the call is given
 * @param output null if the rank gets nothing
 * @param shared whether input and output share memory
 */
record Tensors(MemorySegment given, TensorView input, TensorView output, boolean shared) {

    /** Bytes of the pieces of {@link #of}. */
    static long bytes(Check check, Exchange exchange, int rank) {
        long inputs = exchange.hasInput(rank) ? 2 * exchange.inputCount(rank) : 0;
        long outputs = exchange.hasOutput(rank) ? exchange.outputCount(rank) : 0;
        return (inputs + outputs) * check.type().bytes();
    }

    /** Pieces of {@link #of}. */
    static final int PIECES = 3;

    /** Those of {@code rank} in memory of {@code pad}, the input filled by {@code seed}. */
    static Tensors of(Check check, Exchange exchange, int rank, Pad pad, long seed) {
        DataType type = check.type();
        int width = type.bytes();
        MemorySegment given = null;
        MemorySegment input = null;
        MemorySegment output = null;
        boolean shared = exchange.isShared(rank);
        if (exchange.hasInput(rank)) {
            given = pad.take(exchange.inputCount(rank) * width);
            Inputs.fill(given, check, seed);
        }
        long outputInInput = exchange.outputInInput(rank) * width;
        boolean partOfOutput = shared && exchange.inputCount(rank) <= exchange.outputCount(rank);
        if (exchange.hasOutput(rank) && (!shared || partOfOutput)) {
            output = pad.take(exchange.outputCount(rank) * width);
        }
        if (given != null) {
            input = partOfOutput ? output.asSlice(-outputInInput, given.byteSize()) : pad.take(given.byteSize());
            input.copyFrom(given);
        }
        if (exchange.hasOutput(rank) && output == null) {
            output = input.asSlice(outputInInput, exchange.outputCount(rank) * width);
        }
        return new Tensors(given, view(input, type), view(output, type), shared);
    }

    private static TensorView view(MemorySegment memory, DataType type) {
        return memory == null ? null : TensorView.of(memory, type);
    }
}
