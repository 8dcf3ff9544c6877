package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups that are closed, by some of their members or by all, and created again. */
class GroupClosingTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    private static TensorView value(int value) {
        return Tensors.filled(DataType.INT32, 1, i -> value);
    }

    private static Work sum(ProcessGroup group, TensorView tensor) {
        return group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
    }

    private static void assertSums(Harness world, List<ProcessGroup> groups) {
        List<TensorView> tensors = IntStream.rangeClosed(1, groups.size())
                .mapToObj(GroupClosingTest::value)
                .toList();
        List<Work> works = IntStream.range(0, groups.size())
                .mapToObj(rank -> sum(groups.get(rank), tensors.get(rank)))
                .toList();
        world.succeed(works);
        TensorView expected = value(groups.size() * (groups.size() + 1) / 2);
        tensors.forEach(tensor -> Tensors.assertSame(expected, tensor, "sum"));
    }

    @OnEveryTransport
    void shouldRefuseCallsOnAClosedGroup(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            ProcessGroup group = GroupsTest.create(world, "g", 0, 2).getFirst();
            GroupsTest.close(world, group);
            GroupsTest.close(world, group);
            ParexException refused = assertThrows(ParexException.class, () -> group.barrier(DEFAULT));
            assertEquals(ErrorKind.ARGUMENT, refused.kind());
            assertEquals("group g was closed on rank 0; nothing was started", refused.getMessage());
            assertThrows(ParexException.class, () -> group.isend(value(1), 1, 0, DEFAULT));
            CompletableFuture<Recovered> recovery = RecoveryTest.recover(group, Duration.ofSeconds(5));
            world.passUntil(recovery::isDone, "a recovery of a closed group hangs");
            assertEquals(ErrorKind.ARGUMENT, RecoveryTest.failure(recovery).kind());
            assertEquals(Optional.empty(), world.worlds().getFirst().group("g"));
            world.assertUsable();
        }
    }

    @OnEveryTransport
    void shouldNotCloseTheGroupOfAllRanks(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Throwable> failures = new ArrayList<>();
            world.group(0).close().subscribe().with(closed -> {}, failures::add);
            assertTrue(failures.getFirst().getMessage().contains("is not closed alone"));
            assertFalse(world.group(0).isClosed());
            world.assertUsable();
        }
    }

    /** What waits for a member that closes the group is told so; its messages that have arrived stay. */
    @OnEveryTransport
    void shouldFailWhatNeedsAMemberThatHasClosed(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<ProcessGroup> groups = GroupsTest.create(world, "g", 1, 2, 3);
            assertSums(world, groups);
            TensorView arrived = value(0);
            world.succeed(List.of(
                    groups.get(0).isend(value(9), 1, 5, DEFAULT), groups.get(1).irecv(arrived, 0, 5, DEFAULT)));
            Work receive = groups.get(1).irecv(value(0), 0, 6, DEFAULT);
            Work send = groups.get(1).isend(Tensors.filled(DataType.INT32, 100_000, i -> 1), 0, 7, DEFAULT);
            List<Work> sums = List.of(sum(groups.get(1), value(1)), sum(groups.get(2), value(1)));
            Work own = groups.get(0).irecv(value(0), 1, 99, DEFAULT);
            world.pass(Duration.ofMillis(300));
            GroupsTest.close(world, groups.get(0));
            world.failure(ErrorKind.LEFT, own);
            world.failure(ErrorKind.LEFT, receive);
            world.failure(ErrorKind.LEFT, send);
            for (Work work : sums) {
                String text = world.failure(ErrorKind.LEFT, work);
                assertTrue(text.contains("rank 0 left the group after call #0"), text);
            }
            // Nobody waits long for the next one either.
            long start = world.nanoTime();
            world.failure(ErrorKind.LEFT, sum(groups.get(2), value(1)));
            assertTrue(world.nanoTime() - start < 3_000_000_000L);
            world.assertUsable();
        }
    }

    /** A member that the closing one has never spoken to asks, and is told. */
    @OnEveryTransport
    void shouldTellThoseWhoAskThatTheGroupIsClosed(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<ProcessGroup> groups = GroupsTest.create(world, "g", 0, 1);
            GroupsTest.close(world, groups.get(0));
            world.pass(Duration.ofSeconds(1));
            long start = world.nanoTime();
            world.failure(ErrorKind.LEFT, groups.get(1).barrier(DEFAULT));
            TensorView large = Tensors.filled(DataType.INT32, 100_000, i -> 1);
            world.failure(ErrorKind.LEFT, groups.get(1).isend(large, 0, 0, DEFAULT));
            assertTrue(world.nanoTime() - start < 5_000_000_000L);
        }
    }

    @OnEveryTransport
    void shouldEndWhatIsInFlightWhenItIsClosed(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<ProcessGroup> groups = GroupsTest.create(world, "g", 0, 1, 2);
            TensorView large = Tensors.filled(DataType.INT32, 500_000, i -> 1);
            List<Work> works = List.of(
                    groups.get(0).broadcast(large, 0, DEFAULT),
                    groups.get(0).isend(large, 1, 3, DEFAULT),
                    groups.get(0).irecv(Tensors.copy(large), 2, 3, DEFAULT));
            GroupsTest.close(world, groups.get(0));
            String text = world.failure(ErrorKind.LEFT, works.getFirst());
            assertTrue(text.endsWith("and this rank is not a member any more"), text);
            works.forEach(work -> world.failure(ErrorKind.LEFT, work));
            world.failure(ErrorKind.LEFT, groups.get(1).broadcast(Tensors.copy(large), 0, DEFAULT));
        }
    }

    /** Messages that nobody has received are let go of, and their senders hear why. */
    @OnEveryTransport
    void shouldDropMessagesThatNobodyHasReceived(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<ProcessGroup> groups = GroupsTest.create(world, "g", 0, 1);
            Work small = groups.get(0).isend(value(1), 1, 1, DEFAULT);
            Work large = groups.get(0).isend(Tensors.filled(DataType.INT32, 100_000, i -> 1), 1, 2, DEFAULT);
            world.succeed(List.of(small));
            world.pass(Duration.ofSeconds(1));
            GroupsTest.close(world, groups.get(1));
            world.failure(ErrorKind.LEFT, large);
        }
    }

    /** The calls of one instance never meet those of another, whoever is behind. */
    @OnEveryTransport
    void shouldKeepInstancesOfOneNameApart(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            List<Integer> members = List.of(0, 1);
            ProcessGroup first = GroupsTest.create(world, 0, "g", members);
            GroupsTest.close(world, first);
            ProcessGroup second = GroupsTest.create(world, 0, "g", members);
            TensorView tensor = value(2);
            Work ahead = sum(second, tensor);
            ProcessGroup behind = GroupsTest.create(world, 1, "g", members);
            world.failure(ErrorKind.LEFT, behind.barrier(DEFAULT));
            assertFalse(ahead.isDone());
            GroupsTest.close(world, behind);
            ProcessGroup level = GroupsTest.create(world, 1, "g", members);
            world.succeed(List.of(ahead, sum(level, value(3))));
            Tensors.assertSame(value(5), tensor, "sum");
        }
    }

    /** C62. */
    @OnEveryTransport
    void shouldCreateAndCloseAgainAndAgain(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            for (int round = 0; round < 30; round++) {
                List<ProcessGroup> groups = GroupsTest.create(world, round % 3 == 0 ? "other-" + round : "same", 1, 0);
                assertSums(world, groups);
                groups.forEach(group -> GroupsTest.close(world, group));
                assertEquals(1, world.worlds().get(round % 2).groups().size());
            }
            world.assertUsable();
        }
    }

    @Test
    void shouldRefuseToCreateGroupsInAWorldThatIsClosed() {
        LocalWorld world = LocalWorld.start(1, WorldOptions.DEFAULT);
        World rank = world.rank(0);
        ProcessGroup group = rank.newGroup("g", List.of(0)).await().atMost(Duration.ofSeconds(10));
        world.close();
        ParexException refused = assertThrows(
                ParexException.class,
                () -> rank.newGroup("h", List.of(0)).await().atMost(Duration.ofSeconds(10)));
        assertEquals(ErrorKind.UNAVAILABLE, refused.kind(), refused.getMessage());
        CompletableFuture<Recovered> recovery = RecoveryTest.recover(group, Duration.ofSeconds(5));
        assertEquals(ErrorKind.UNAVAILABLE, RecoveryTest.failure(recovery).kind());
        group.close().await().atMost(Duration.ofSeconds(10));
        group.abort("too late");
        group.leave();
        group.rejoin().await().atMost(Duration.ofSeconds(10));
    }

    @Test
    void shouldLimitTheNumberOfOpenGroups() {
        try (LocalWorld world = LocalWorld.start(1, WorldOptions.DEFAULT)) {
            World rank = world.rank(0);
            for (int i = 1; i < 1024; i++) {
                rank.newGroup("g" + i, List.of(0)).await().atMost(Duration.ofSeconds(10));
            }
            ParexException refused = assertThrows(
                    ParexException.class,
                    () -> rank.newGroup("more", List.of(0)).await().atMost(Duration.ofSeconds(10)));
            assertEquals(ErrorKind.OVERLOADED, refused.kind());
            assertEquals("1024 groups are open on rank 0, the limit; nothing was created", refused.getMessage());
            rank.group("g7").orElseThrow().close().await().atMost(Duration.ofSeconds(10));
            ProcessGroup more = rank.newGroup("more", List.of(0)).await().atMost(Duration.ofSeconds(10));
            more.barrier(DEFAULT).await();
        }
    }
}
