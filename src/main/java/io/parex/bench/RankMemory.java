package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Native memory of all ranks for one run: an input and an output each, allocated when first asked for. */
final class RankMemory {
    private static final long ALIGNMENT_BYTES = 64;
    private static final byte SPOILED = (byte) 0xA5;

    private final Arena arena;
    private final long bytes;
    private final DataType type;
    private final MemorySegment[] inputs;
    private final MemorySegment[] outputs;

    /** Room for {@code bytes} bytes of {@code type} in each buffer of {@code ranks} ranks. */
    RankMemory(Arena arena, int ranks, long bytes, DataType type) {
        this.arena = arena;
        this.bytes = bytes;
        this.type = type;
        inputs = new MemorySegment[ranks];
        outputs = new MemorySegment[ranks];
    }

    /** The first {@code count} elements of a rank's input. */
    TensorView input(int rank, long count) {
        return view(inputs, rank, count);
    }

    /** The first {@code count} elements of a rank's output. */
    TensorView output(int rank, long count) {
        return view(outputs, rank, count);
    }

    /** Writes what no result is. */
    static void spoil(TensorView tensor) {
        tensor.segment().fill(SPOILED);
    }

    private TensorView view(MemorySegment[] buffers, int rank, long count) {
        if (buffers[rank] == null) {
            buffers[rank] = allocate();
        }
        return new TensorView(buffers[rank].asSlice(0, count * type.bytes()), type, count);
    }

    private MemorySegment allocate() {
        try {
            return arena.allocate(bytes, ALIGNMENT_BYTES);
        } catch (OutOfMemoryError e) {
            throw new ParexException(
                    ErrorKind.OVERLOADED,
                    inputs.length + " ranks need 2 buffers of " + bytes + " bytes each at most, and no more native "
                            + "memory is to be had; measure smaller sizes, or raise -XX:MaxDirectMemorySize",
                    e);
        }
    }
}
