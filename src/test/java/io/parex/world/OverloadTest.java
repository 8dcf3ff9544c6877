package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits that are reached: the call is refused, and the group goes on. */
class OverloadTest {

    @OnEveryTransport
    void shouldFailTheCallOnAllMembersWhereThereIsNoRoomForScratch(Harness.Factory factory) {
        WorldOptions options = WorldOptions.DEFAULT.withCopyPoolBytes(1 << 20).withCallTimeout(Duration.ofSeconds(20));
        CallOptions wholeTensorInScratch = CallOptions.DEFAULT.withAlgorithm("recursive_doubling");
        try (Harness world = factory.start(4, options)) {
            List<TensorView> tensors = new ArrayList<>();
            List<Work> works = world.onAll(group -> {
                tensors.add(Tensors.filled(DataType.INT32, 1_000_000, i -> 7));
                return group.allReduce(tensors.getLast(), tensors.getLast(), ReduceOp.SUM, wholeTensorInScratch);
            });
            for (Work work : works) {
                String text = world.failure(ErrorKind.OVERLOADED, work);
                assertTrue(
                        text.contains("a buffer of 4000000 bytes is refused: the pool's limit is 1048576 bytes"), text);
                assertTrue(text.contains("(parex.scratch.max-bytes"), text);
                assertTrue(text.endsWith("the group can be used for the next call"), text);
            }
            world.assertUsable();
            for (TensorView tensor : tensors) {
                Tensors.assertSame(Tensors.filled(DataType.INT32, 1_000_000, i -> 7), tensor, "tensor");
            }
            world.succeed(world.onAll(group -> {
                TensorView small = tensors.get(group.rank()).slice(0, 1000);
                return group.allReduce(small, small, ReduceOp.SUM, wholeTensorInScratch);
            }));
            assertEquals(28, Tensors.get(tensors.get(2), 999));
            assertEquals(7, Tensors.get(tensors.get(2), 1000));
        }
    }

    /** A call beyond the limit fails with its number; without, the calls in line behind it would pair with others. */
    @OnEveryTransport
    void shouldKeepCallsInStepBeyondTheLimitOfCallsInFlight(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            int calls = 2 * Limits.CALLS_IN_FLIGHT;
            List<TensorView> tensors = new ArrayList<>();
            List<Work> works = new ArrayList<>();
            for (int rank = 0; rank < 2; rank++) {
                for (int i = 0; i < calls; i++) {
                    TensorView tensor = Tensors.ints(i);
                    tensors.add(tensor);
                    works.add(world.group(rank).allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT));
                }
            }
            world.settle(works);
            int refused = 0;
            for (int i = 0; i < works.size(); i++) {
                try {
                    works.get(i).await();
                    assertEquals(2 * (i % calls), Tensors.get(tensors.get(i), 0), "call " + i % calls);
                } catch (ParexException e) {
                    assertEquals(ErrorKind.OVERLOADED, e.kind(), e.getMessage());
                    refused++;
                }
            }
            assertTrue(refused < works.size(), "no call succeeded");
        }
    }

    @OnEveryTransport
    void shouldFailACallThatOneMemberGivesUpOnAllMembers(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            TensorStream shape = TensorStream.unbacked(DataType.INT32, 1000);
            List<Work> works = world.onAll(group -> {
                TensorView tensor = Tensors.filled(DataType.INT32, 1000, i -> i);
                return group.rank() == 2
                        ? group.giveUp(
                                Call.allReduce(shape, shape, ReduceOp.SUM, CallOptions.DEFAULT),
                                ErrorKind.OVERLOADED,
                                "no room for the tensor")
                        : group.allReduce(tensor, tensor, ReduceOp.SUM, CallOptions.DEFAULT);
            });
            for (Work work : works) {
                String text = world.failure(ErrorKind.OVERLOADED, work);
                assertTrue(text.startsWith("no room for the tensor"), text);
            }
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldFailAWrongCallOnAllMembersForThoseWhoAskForThat(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<Work> works = world.onAll(group -> {
                TensorStream input = TensorStream.input(Tensors.ints(1, 2));
                TensorStream output =
                        TensorStream.output(group.rank() == 1 ? Tensors.ints(0, 0, 0) : Tensors.ints(0, 0));
                return group.submitOrGiveUp(Call.allReduce(input, output, ReduceOp.SUM, CallOptions.DEFAULT));
            });
            for (Work work : works) {
                String text = world.failure(ErrorKind.ARGUMENT, work);
                assertTrue(text.contains("its output has 3 elements of int32, and 2 are due"), text);
                assertTrue(!text.contains("nothing was started"), text);
            }
            world.assertUsable();
        }
    }

    /** Where there is no room for copies, small messages are lent, and their sender waits for the receiver. */
    @OnEveryTransport
    void shouldSendSmallMessagesWithoutRoomForCopies(Harness.Factory factory) {
        WorldOptions options = WorldOptions.DEFAULT.withCopyPoolBytes(0).withCallTimeout(Duration.ofSeconds(20));
        try (Harness world = factory.start(2, options)) {
            TensorView received = Tensors.ints(0, 0, 0);
            Work send = world.group(0).isend(Tensors.ints(1, 2, 3), 1, 0, CallOptions.DEFAULT);
            world.pass(Duration.ofMillis(100));
            assertTrue(
                    !world.sharesMemory() || !send.isDone(), "the receiver may still have to read the sender's memory");
            world.await(world.group(1).irecv(received, 0, 0, CallOptions.DEFAULT));
            world.await(send);
            Tensors.assertSame(Tensors.ints(1, 2, 3), received, "message");
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldFailCollectivesBeyondTheLimitInFlightOnAllMembers(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Work> works = new ArrayList<>();
            for (int i = 0; i < Limits.CALLS_IN_FLIGHT; i++) {
                works.add(world.group(0).barrier(CallOptions.DEFAULT));
            }
            String text = world.failure(ErrorKind.OVERLOADED, world.group(0).barrier(CallOptions.DEFAULT));
            assertTrue(text.startsWith("1024 calls of group world are in flight on rank 0, the limit ["), text);
            for (int i = 0; i < Limits.CALLS_IN_FLIGHT; i++) {
                works.add(world.group(1).barrier(CallOptions.DEFAULT));
            }
            world.succeed(works);
            world.failure(ErrorKind.OVERLOADED, world.group(1).barrier(CallOptions.DEFAULT));
            world.assertUsable();
        }
    }

    @Test
    void shouldRefuseMoreOperationsInFlightThanTheLimit() {
        try (Harness world = Harness.Factory.CALM.start(2)) {
            Call call = Call.recv(TensorStream.output(Tensors.ints(0)), 1, 0, CallOptions.DEFAULT);
            List<Call> calls = Collections.nCopies(Limits.OPERATIONS_IN_FLIGHT + 1, call);
            ParexException refusal =
                    assertThrows(ParexException.class, () -> world.group(0).submit(calls));
            assertEquals(ErrorKind.OVERLOADED, refusal.kind());
            assertEquals("more than 262144 operations in flight on rank 0; nothing was started", refusal.getMessage());
            assertEquals(0, world.worlds().get(0).inFlight());
            world.assertUsable();
        }
    }
}
