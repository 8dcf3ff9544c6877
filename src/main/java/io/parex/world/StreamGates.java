package io.parex.world;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Joins a running schedule to the caller's streams: steps read no further than the caller has written and write no
 * further than the caller has drained; in turn the caller learns what is consumed and what is final. Does nothing for
 * tensors that are there as a whole. Owner loop only.
 */
final class StreamGates {
    private record Part(StepRun step, Region region) {
        long start() {
            return region.base();
        }

        long position() {
            return region.base() + step.watermark() * region.width();
        }
    }

    private final TensorStream input;
    private final TensorStream output;

    /** First byte of the output that is memory of the input too; negative if there is none. */
    private final long inputAt;

    private final List<Part> inputReaders = new ArrayList<>();
    private final List<Part> outputReaders = new ArrayList<>();
    private final List<Part> outputWriters = new ArrayList<>();
    private boolean sorted;
    private long knownWriteLimit;

    StreamGates(TensorStream input, TensorStream output) {
        this.input = input;
        this.output = output;
        this.inputAt = input == null || output == null ? -1 : input.placeIn(output);
    }

    /** A step reads {@code region} of the caller's streams. */
    void reads(StepRun step, Region region) {
        if (input != null && region.space() == input) {
            inputReaders.add(new Part(step, region));
        } else if (output != null && region.space() == output) {
            outputReaders.add(new Part(step, region));
        }
    }

    /** A step writes {@code region} of the output. */
    void writes(StepRun step, Region region) {
        if (output != null && region.space() == output) {
            outputWriters.add(new Part(step, region));
            sorted = false;
        }
    }

    /** Steps to look at again when the caller has written more input. */
    List<StepRun> inputReaders() {
        Stream<Part> readers = inputAt < 0 ? inputReaders.stream() : readersOfBoth();
        return readers.map(Part::step).toList();
    }

    private Stream<Part> readersOfBoth() {
        return Stream.concat(inputReaders.stream(), outputReaders.stream());
    }

    /** Steps to look at again as more of the output may be written than when this was last asked; mostly none. */
    List<StepRun> unblockedWriters() {
        if (output == null || output.isWhole()) {
            return List.of();
        }
        long limit = writeLimit();
        if (limit <= knownWriteLimit) {
            return List.of();
        }
        knownWriteLimit = limit;
        return outputWriters.stream().map(Part::step).toList();
    }

    /** Elements of {@code region} that may be read now. */
    long readable(Region region) {
        if (input == null || input.written() == input.byteSize()) {
            return StepRun.ALL;
        }
        if (region.space() == input) {
            return Math.max(0, input.written() - region.base()) / region.width();
        }
        // In place, a step may read the caller's block where it lies in the output.
        boolean isBefore = inputAt >= 0 && region.space() == output && region.base() < inputAt + input.byteSize();
        return isBefore ? Math.max(0, inputAt + input.written() - region.base()) / region.width() : StepRun.ALL;
    }

    /** Elements of {@code region} that may be written now. */
    long writable(Region region) {
        if (output == null || region.space() != output || output.isWhole()) {
            return StepRun.ALL;
        }
        return Math.max(0, writeLimit() - region.base()) / region.width();
    }

    /** First byte of the output that may not be written now. */
    long writeLimit() {
        long limit = output.writeLimit();
        for (Part reader : outputReaders) {
            limit = Math.min(limit, reader.position() + output.windowBytes());
        }
        return limit;
    }

    /** Tells the caller how far its streams are. */
    void report() {
        if (input != null && !input.isWhole()) {
            long consumed = input.byteSize();
            for (Part reader : inputReaders) {
                consumed = Math.min(consumed, reader.position());
            }
            if (consumed > input.consumed()) {
                input.advanceConsumed(consumed - input.consumed());
            }
        }
        if (output != null && (output.isWatched() || !output.isWhole())) {
            long written = writtenPrefix();
            if (written > output.written()) {
                output.advanceWritten(written - output.written());
            }
        }
    }

    private long writtenPrefix() {
        if (!sorted) {
            outputWriters.sort(Comparator.comparingLong(Part::start));
            sorted = true;
        }
        long written = 0;
        for (Part writer : outputWriters) {
            if (writer.start() > written) {
                break;
            }
            written = Math.max(written, writer.position());
        }
        return written;
    }
}
