package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Which message goes to which receive, and that it arrives whole. */
class PointToPointTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;
    private static final int ANY = ProcessGroup.ANY_SOURCE;

    /** C41: the tag decides, not the order of the receives. */
    @OnEveryTransport
    void shouldMatchByTagWhateverTheOrder(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView zeros = Tensors.filled(DataType.INT32, 1000, i -> -1);
            TensorView ones = Tensors.filled(DataType.INT32, 1000, i -> -1);
            Work second = world.group(1).irecv(zeros, 0, 2, DEFAULT);
            Work first = world.group(1).irecv(ones, 0, 1, DEFAULT);
            world.await(world.group(0).isend(Tensors.filled(DataType.INT32, 1000, i -> 1), 1, 1, DEFAULT));
            assertEquals(new Completion(0, 1, 1000), world.await(first));
            world.pass(Duration.ofMillis(300));
            assertFalse(second.isDone());
            world.await(world.group(0).isend(Tensors.zeros(DataType.INT32, 1000), 1, 2, DEFAULT));
            assertEquals(new Completion(0, 2, 1000), world.await(second));
            assertArrayEquals(IntStream.generate(() -> 1).limit(1000).toArray(), Tensors.intValues(ones));
            assertArrayEquals(new int[1000], Tensors.intValues(zeros));
        }
    }

    /** C43: a rank receives what it sends itself. */
    @OnEveryTransport
    void shouldDeliverToItself(Harness.Factory factory) {
        for (int size : new int[] {1, 3}) {
            try (Harness world = factory.start(size)) {
                for (int bytes : new int[] {0, 4, 65_536, 65_537, 1 << 20}) {
                    TensorView sent = Tensors.pattern(bytes, size);
                    TensorView received = Tensors.zeros(DataType.UINT8, bytes);
                    ProcessGroup group = world.group(size - 1);
                    Work send = group.isend(sent, size - 1, 0, DEFAULT);
                    Work recv = group.irecv(received, size - 1, 0, DEFAULT);
                    world.succeed(List.of(send, recv));
                    Tensors.assertSame(sent, received, bytes + " bytes");
                }
            }
        }
    }

    /** C43: a send to itself for which no receive is posted. */
    @OnEveryTransport
    void shouldBufferASmallSendToItselfAndTimeOutALargeOne(Harness.Factory factory) {
        try (Harness world = factory.start(1)) {
            CallOptions brief = DEFAULT.withTimeout(Duration.ofMillis(200));
            world.await(world.group(0).isend(Tensors.ints(5), 0, 0, brief));
            String text =
                    world.failure(ErrorKind.TIMEOUT, world.group(0).isend(Tensors.pattern(65_537, 1), 0, 1, brief));
            assertTrue(text.contains("rank 0 has posted no receive that takes it"), text);
            TensorView received = Tensors.ints(0);
            world.await(world.group(0).irecv(received, 0, 0, DEFAULT));
            assertArrayEquals(new int[] {5}, Tensors.intValues(received));
        }
    }

    /** C51: six receives from any of three ranks. */
    @OnEveryTransport
    void shouldReceiveFromAnySourceInTheOrderOfEach(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<TensorView> taken =
                    IntStream.range(0, 6).mapToObj(i -> Tensors.ints(0)).toList();
            List<Work> receives = taken.stream()
                    .map(each -> world.group(0).irecv(each, ANY, 0, DEFAULT))
                    .toList();
            for (int n = 0; n < 2; n++) {
                for (int rank = 1; rank < 4; rank++) {
                    world.group(rank).isend(Tensors.ints(10 * rank + n), 0, 0, DEFAULT);
                }
            }
            List<List<Integer>> bySource = List.of(List.of(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            for (int i = 0; i < 6; i++) {
                bySource.get(world.await(receives.get(i)).source()).add(Tensors.intValues(taken.get(i))[0]);
            }
            assertEquals(List.of(List.of(), List.of(10, 11), List.of(20, 21), List.of(30, 31)), bySource);
        }
    }

    @OnEveryTransport
    void shouldKeepTheOrderOfSmallAndLargeMessages(Harness.Factory factory) {
        int[] sizes = {4, 100_000, 0, 65_536, 65_537, 4, 300_000, 8};
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < sizes.length; i++) {
                works.add(world.group(0).isend(Tensors.pattern(sizes[i], i), 1, 3, DEFAULT));
            }
            world.pass(Duration.ofMillis(10));
            for (int i = 0; i < sizes.length; i++) {
                TensorView received = Tensors.zeros(DataType.UINT8, sizes[i]);
                int tag = i % 2 == 0 ? 3 : ProcessGroup.ANY_TAG;
                int source = i % 3 == 0 ? ANY : 0;
                Work recv = world.group(1).irecv(received, source, tag, DEFAULT);
                assertEquals(new Completion(0, 3, sizes[i]), world.await(recv));
                Tensors.assertSame(Tensors.pattern(sizes[i], i), received, "message " + i);
            }
            world.succeed(works);
        }
    }

    @OnEveryTransport
    void shouldGiveTheEarliestMessageToTheEarliestReceiveThatTakesIt(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            TensorView anyTag = Tensors.ints(0);
            TensorView tagOne = Tensors.ints(0);
            TensorView anything = Tensors.ints(0);
            List<Work> receives = List.of(
                    world.group(1).irecv(anyTag, 0, ProcessGroup.ANY_TAG, DEFAULT),
                    world.group(1).irecv(tagOne, 0, 1, DEFAULT),
                    world.group(1).irecv(anything, ANY, ProcessGroup.ANY_TAG, DEFAULT));
            for (int i = 1; i <= 3; i++) {
                world.await(world.group(0).isend(Tensors.ints(i), 1, i == 3 ? 2 : 1, DEFAULT));
            }
            assertEquals(new Completion(0, 1, 1), world.await(receives.get(0)));
            assertEquals(new Completion(0, 1, 1), world.await(receives.get(1)));
            assertEquals(new Completion(0, 2, 1), world.await(receives.get(2)));
            assertEquals(
                    List.of(1, 2, 3),
                    List.of(anyTag, tagOne, anything).stream()
                            .map(each -> Tensors.intValues(each)[0])
                            .toList());
        }
    }

    @OnEveryTransport
    void shouldLetTheSenderReuseItsBufferWhenTheHandleIsDone(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            for (int bytes : new int[] {1000, 65_536, 65_537, 1 << 20}) {
                TensorView expected = Tensors.pattern(bytes, bytes);
                TensorView buffer = Tensors.copy(expected);
                TensorView received = Tensors.zeros(DataType.UINT8, bytes);
                Work send = world.group(0).isend(buffer, 1, 0, DEFAULT);
                if (bytes > 65_536) {
                    world.pass(Duration.ofMillis(20));
                    assertFalse(send.isDone(), "a send above the eager limit does not wait for its receive");
                }
                Work recv = bytes > 65_536 ? world.group(1).irecv(received, 0, 0, DEFAULT) : null;
                world.await(send);
                buffer.segment().fill((byte) 9);
                world.await(recv != null ? recv : world.group(1).irecv(received, 0, 0, DEFAULT));
                Tensors.assertSame(expected, received, bytes + " bytes");
            }
        }
    }

    /** C78: three sends and three receives, by tags. */
    @OnEveryTransport
    void shouldKeepHandlesApart(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> sends = IntStream.range(0, 3)
                    .mapToObj(i -> world.group(0).isend(Tensors.ints(i), 1, i, DEFAULT))
                    .toList();
            List<TensorView> taken =
                    IntStream.range(0, 3).mapToObj(i -> Tensors.ints(-1)).toList();
            List<Work> receives = IntStream.range(0, 3)
                    .mapToObj(i -> world.group(1).irecv(taken.get(i), 0, i, DEFAULT))
                    .toList();
            world.succeed(sends);
            world.succeed(receives);
            assertEquals(
                    List.of(0, 1, 2),
                    taken.stream().map(each -> Tensors.intValues(each)[0]).toList());
        }
    }
}
