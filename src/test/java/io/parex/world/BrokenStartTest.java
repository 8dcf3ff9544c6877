package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Callers' code that throws on the owner loop: the operation ends, once, and the rank goes on. */
class BrokenStartTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    private static TensorStream throwing(int count) {
        TensorStream output = TensorStream.output(Tensors.zeros(DataType.INT32, count));
        output.onWritten(() -> {
            throw new IllegalStateException("a listener's fault");
        });
        return output;
    }

    /** The failing receive ends the call, and so does the one who started it; the count in flight must not mind. */
    @Test
    void shouldEndAReceiveOnceThatBreaksWhileItStarts() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            Work send = world.group(0).isend(Tensors.ints(1, 2, 3), 1, 0, DEFAULT);
            world.await(send);
            world.pass(Duration.ofMillis(100));
            Work recv = world.group(1).submit(Call.recv(throwing(3), 0, 0, DEFAULT));
            String text = world.failure(ErrorKind.PROTOCOL, recv);
            assertTrue(
                    text.startsWith("internal error on rank 1: java.lang.IllegalStateException: a listener's"), text);
            assertEquals(0, world.worlds().get(1).inFlight());
            world.assertUsable();
        }
    }

    @Test
    void shouldEndBothHalvesOfASendRecvOfWhichOneBreaks() {
        try (Harness world = Harness.Factory.LOCAL.start(2)) {
            world.await(world.group(0).isend(Tensors.ints(1, 2, 3), 1, 0, DEFAULT));
            world.pass(Duration.ofMillis(100));
            Call send = Call.send(TensorStream.input(Tensors.ints(4)), 0, 0, DEFAULT);
            Call recv = Call.recv(throwing(3), 0, 0, DEFAULT);
            world.failure(ErrorKind.PROTOCOL, world.group(1).submit(Call.sendRecv(send, recv)));
            assertEquals(0, world.worlds().get(1).inFlight());
            world.assertUsable();
        }
    }

    @Test
    void shouldFailACollectiveThatBreaksWhileItStarts() {
        try (Harness world = Harness.Factory.LOCAL.start(1)) {
            TensorStream input = TensorStream.input(Tensors.ints(1, 2, 3));
            Work sum = world.group(0).submit(Call.allReduce(input, throwing(3), ReduceOp.SUM, DEFAULT));
            world.failure(ErrorKind.PROTOCOL, sum);
            assertEquals(0, world.worlds().getFirst().inFlight());
            world.assertUsable();
        }
    }

    @Test
    void shouldCompleteTheOperationWhoseObserverThrows() {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            world.worlds().getFirst().observe(record -> {
                throw new IllegalStateException("an observer's fault");
            });
            world.succeed(
                    List.of(world.group(0).barrier(DEFAULT), world.group(1).barrier(DEFAULT)));
            world.await(world.group(0).isend(Tensors.ints(1), 1, 0, DEFAULT));
            assertEquals(0, world.worlds().getFirst().inFlight());
        }
    }
}
