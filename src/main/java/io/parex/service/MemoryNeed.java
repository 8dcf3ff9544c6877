package io.parex.service;

import io.parex.v1.ClientMessage;
import io.parex.v1.Operation;
import io.parex.v1.Tensor;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Which messages may need so much memory that the system takes a while to provide it: not on an event loop. */
final class MemoryNeed {
    /** Elements of a call from which its memory may take longer than a turn of an event loop should. */
    private static final long MUCH_COUNT = 1 << 20;

    private MemoryNeed() {}

    static boolean isMuch(ClientMessage message) {
        if (!message.hasSubmit()) {
            return message.hasAddSegment();
        }
        long count = 0;
        for (Operation operation : message.getSubmit().getOperationsList()) {
            // What lies in shared memory needs none.
            count += operation.hasInput() && operation.hasOutput() ? 0 : most(operation);
        }
        return count > MUCH_COUNT;
    }

    private static long most(Operation operation) {
        // What is not set has no elements.
        Stream<Tensor> tensors = Stream.of(
                operation.getAllReduce().getTensor(),
                operation.getReduce().getTensor(),
                operation.getAllToAll().getTensor(),
                operation.getScatter().getBlock(),
                operation.getGather().getBlock(),
                operation.getAllGather().getBlock(),
                operation.getReduceScatter().getBlock());
        LongStream rooms = LongStream.of(
                operation.getAllToAll().getCapacity(),
                operation.getScatter().getCapacity(),
                operation.getGather().getCapacity(),
                operation.getAllGather().getCapacity());
        // Counts are unsigned, and any.
        return LongStream.concat(tensors.mapToLong(Tensor::getCount), rooms)
                .map(count -> count < 0 ? MUCH_COUNT + 1 : Math.min(count, MUCH_COUNT + 1))
                .max()
                .orElse(0);
    }
}
