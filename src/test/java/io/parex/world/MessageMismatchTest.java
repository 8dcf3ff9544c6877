package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.util.List;

/** A receive of another size or type than its message fails, unchanged, and the next message is as if nothing was. */
class MessageMismatchTest {

    /** What is sent, and what is received. */
    private record Difference(TensorView sent, TensorView received) {}

    /** C53: messages that may have left before their size is compared. */
    @OnEveryTransport
    void shouldRefuseMessagesOfAnotherSizeOrType(Harness.Factory factory) {
        List<Difference> small = List.of(
                new Difference(Tensors.ints(1, 2, 3, 4), Tensors.ints(7, 7)),
                new Difference(Tensors.ints(1, 2), Tensors.ints(7, 7, 7, 7)),
                new Difference(Tensors.ints(1, 2), Tensors.floats(7, 7)),
                new Difference(Tensors.floats(1, 2, 3, 4), Tensors.longs(7, 7)),
                new Difference(Tensors.ints(), Tensors.ints(7)),
                new Difference(Tensors.ints(1), Tensors.ints()),
                new Difference(sevens(DataType.INT32, 16_384), sevens(DataType.INT32, 16_385)));
        try (Harness world = factory.start(2)) {
            for (Difference each : small) {
                Work send = world.group(0).isend(each.sent, 1, 5, CallOptions.DEFAULT);
                shouldFail(world, each, world.group(1).irecv(each.received, 0, 5, CallOptions.DEFAULT));
                world.await(send);
                shouldStillDeliver(world);
            }
        }
    }

    /** C53: messages that wait for their receive. */
    @OnEveryTransport
    void shouldFailBothSidesOfALargeMessage(Harness.Factory factory) {
        List<Difference> large = List.of(
                new Difference(sevens(DataType.INT32, 16_385), sevens(DataType.INT32, 16_384)),
                new Difference(sevens(DataType.INT32, 100_000), sevens(DataType.INT32, 99_999)),
                new Difference(sevens(DataType.INT32, 100_000), sevens(DataType.FLOAT32, 100_000)),
                new Difference(sevens(DataType.FLOAT32, 100_000), sevens(DataType.FLOAT64, 50_000)));
        try (Harness world = factory.start(2)) {
            for (Difference each : large) {
                Work recv = world.group(1).irecv(each.received, 0, 5, CallOptions.DEFAULT);
                Work send = world.group(0).isend(each.sent, 1, 5, CallOptions.DEFAULT);
                shouldFail(world, each, recv);
                String text = world.failure(ErrorKind.MISMATCH, send);
                assertTrue(text.contains("refused: " + sides(each)), text);
                assertTrue(text.contains("from rank 0 to rank 1, tag 5"), text);
                shouldStillDeliver(world);
            }
        }
    }

    private static TensorView sevens(DataType type, int count) {
        return Tensors.filled(type, count, i -> 7);
    }

    private static void shouldFail(Harness world, Difference each, Work recv) {
        TensorView before = Tensors.copy(each.received);
        String text = world.failure(ErrorKind.MISMATCH, recv);
        assertTrue(text.startsWith(sides(each)), text);
        assertTrue(text.endsWith("the buffer is unchanged, the group can be used"), text);
        Tensors.assertSame(before, each.received, "buffer after " + text);
    }

    private static String sides(Difference each) {
        return "rank 0 sends " + shape(each.sent) + ", rank 1 receives " + shape(each.received);
    }

    private static String shape(TensorView tensor) {
        return tensor.type().label() + " x " + tensor.count();
    }

    private static void shouldStillDeliver(Harness world) {
        TensorView received = Tensors.ints(0, 0);
        world.group(0).isend(Tensors.ints(4, 2), 1, 5, CallOptions.DEFAULT);
        assertEquals(new Completion(0, 5, 2), world.await(world.group(1).irecv(received, 0, 5, CallOptions.DEFAULT)));
        Tensors.assertSame(Tensors.ints(4, 2), received, "the next message");
        world.passUntil(() -> world.worlds().getFirst().scratchBytes() == 0, "a copy of a refused message is kept");
    }
}
