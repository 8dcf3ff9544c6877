package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;

/** Groups of some ranks of a world. */
class GroupsTest {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    /** Creates a group on one member. */
    static ProcessGroup create(Harness world, int rank, String name, List<Integer> members) {
        List<ProcessGroup> made = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> failed = Collections.synchronizedList(new ArrayList<>());
        world.worlds().get(rank).newGroup(name, members).subscribe().with(made::add, failed::add);
        world.passUntil(() -> made.size() + failed.size() > 0, "creating a group hangs");
        if (!failed.isEmpty()) {
            throw (ParexException) failed.getFirst();
        }
        return made.getFirst();
    }

    /** Creates a group on all its members, in their order. */
    static List<ProcessGroup> create(Harness world, String name, Integer... members) {
        List<Integer> list = List.of(members);
        return list.stream().map(rank -> create(world, rank, name, list)).toList();
    }

    static void close(Harness world, ProcessGroup group) {
        CompletableFuture<Void> closed = group.close().subscribeAsCompletionStage();
        world.passUntil(closed::isDone, "closing a group hangs");
        assertTrue(group.isClosed());
    }

    private static ParexException refusal(org.junit.jupiter.api.function.Executable call) {
        return Assertions.assertThrows(ParexException.class, call);
    }

    private static Work sum(ProcessGroup group, TensorView tensor) {
        return group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
    }

    private static TensorView value(int value) {
        return Tensors.filled(DataType.INT32, 1, i -> value);
    }

    @OnEveryTransport
    void shouldNumberMembersInTheOrderOfTheList(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<ProcessGroup> groups = create(world, "odd", 3, 1);
            assertEquals(List.of(3, 1), groups.getFirst().members());
            assertEquals(0, groups.getFirst().rank());
            assertEquals(1, groups.get(1).rank());
            assertEquals(2, groups.get(1).size());
            assertEquals(1, groups.get(1).rankOf(1));
            assertEquals("odd", groups.get(1).name());
            assertEquals(Optional.of(groups.get(1)), world.worlds().get(1).group("odd"));
            assertEquals(Optional.of(world.group(1)), world.worlds().get(1).group("world"));
            assertEquals(Optional.empty(), world.worlds().getFirst().group("odd"));
            TensorView all = Tensors.ints(0, 0);
            List<Work> works = List.of(
                    groups.get(0).allGather(value(30), all, DEFAULT),
                    groups.get(1).allGather(value(10), Tensors.ints(0, 0), DEFAULT));
            world.succeed(works);
            Tensors.assertSame(Tensors.ints(30, 10), all, "all_gather");
        }
    }

    /** C58: roots and peers are ranks of the group; one that a job knows by its rank in the world is translated. */
    @OnEveryTransport
    void shouldTakeRootsByTheirRankInTheGroup(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<ProcessGroup> groups = create(world, "high", 2, 3);
            for (int root = 0; root < 2; root++) {
                int globally = 2 + root;
                assertEquals(root, groups.get(1 - root).rankOf(globally));
                assertRooted(world, groups, root);
            }
            for (ProcessGroup group : groups) {
                // Rank 2 of the world is rank 0 here, and there is no rank 2.
                ParexException tooHigh = refusal(() -> group.broadcast(value(1), 2, DEFAULT));
                assertEquals(ErrorKind.ARGUMENT, tooHigh.kind());
                assertTrue(
                        tooHigh.getMessage().contains("root 2 is not a rank of the group, which has 2"),
                        tooHigh.getMessage());
                ParexException stranger = refusal(() -> group.rankOf(0));
                assertEquals("rank 0 of the world is not a member of group high", stranger.getMessage());
            }
            world.assertUsable();
        }
    }

    private static void assertRooted(Harness world, List<ProcessGroup> groups, int root) {
        List<TensorView> tensors = List.of(value(20), value(30));
        world.succeed(List.of(
                groups.get(0).broadcast(tensors.get(0), root, DEFAULT),
                groups.get(1).broadcast(tensors.get(1), root, DEFAULT)));
        Tensors.assertSame(value(20 + 10 * root), tensors.get(1 - root), "broadcast");
        TensorView reduced = value(-1);
        List<Work> reduces = IntStream.range(0, 2)
                .mapToObj(rank -> groups.get(rank)
                        .reduce(value(rank + 1), rank == root ? reduced : null, ReduceOp.SUM, root, DEFAULT))
                .toList();
        world.succeed(reduces);
        Tensors.assertSame(value(3), reduced, "reduce");
        TensorView block = value(-1);
        List<Work> scatters = IntStream.range(0, 2)
                .mapToObj(rank -> groups.get(rank)
                        .scatter(
                                rank == root ? Tensors.ints(7, 8) : null,
                                rank == root ? value(0) : block,
                                root,
                                DEFAULT))
                .toList();
        world.succeed(scatters);
        Tensors.assertSame(value(8 - root), block, "scatter");
    }

    /** C59. */
    @OnEveryTransport
    void shouldRefuseThoseWhoAreNoMembers(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<ProcessGroup> groups = create(world, "high", 2, 3);
            for (int rank = 0; rank < 2; rank++) {
                int stranger = rank;
                ParexException refused = refusal(() -> create(world, stranger, "high", List.of(2, 3)));
                assertEquals(ErrorKind.ARGUMENT, refused.kind());
                assertEquals(
                        "group high: rank " + rank + " of the world is not a member: the members are [2, 3]; only"
                                + " members create a group and call on it; nothing was created",
                        refused.getMessage());
            }
            TensorView tensor = value(5);
            world.succeed(List.of(sum(groups.get(0), tensor), sum(groups.get(1), value(6))));
            Tensors.assertSame(value(11), tensor, "sum");
        }
    }

    @OnEveryTransport
    void shouldRefuseGroupsThatCannotBeMeant(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            assertRefused(world, " ", List.of(0), "a group needs a name");
            assertRefused(world, "g".repeat(257), List.of(0), "257 bytes of UTF-8, more than 256");
            assertRefused(world, "world", List.of(0), "that is the name of the group of all ranks");
            assertRefused(world, "g", List.of(), "it has no members");
            assertRefused(world, "g", List.of(0, 3), "member 3 is not a rank of the world, which has 3");
            assertRefused(world, "g", List.of(0, -1), "member -1 is not a rank of the world");
            assertRefused(world, "g", List.of(0, 1, 0), "rank 0 is named twice");
            create(world, 0, "g", List.of(0, 1));
            assertRefused(world, "g", List.of(0, 2), "a group g of ranks [0, 1] of the world is open on rank 0");
            assertEquals(2, world.worlds().getFirst().groups().size());
        }
    }

    private static void assertRefused(Harness world, String name, List<Integer> members, String text) {
        ParexException refused = refusal(() -> create(world, 0, name, members));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        assertTrue(refused.getMessage().contains(text), refused.getMessage());
        assertTrue(refused.getMessage().endsWith("; nothing was created"), refused.getMessage());
    }

    /** A group is created without a word to the others: what comes before the creation waits for it. */
    @OnEveryTransport
    void shouldHoldWhatComesBeforeTheGroupIsCreated(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<Integer> members = List.of(2, 0);
            ProcessGroup early = create(world, 2, "late", members);
            TensorView large = Tensors.filled(DataType.INT32, 300_000, i -> i);
            TensorView small = value(4);
            List<Work> works = new ArrayList<>();
            works.add(early.isend(large, 1, 7, DEFAULT));
            works.add(early.isend(small, 1, 8, DEFAULT));
            works.add(early.broadcast(large, 0, DEFAULT));
            works.add(sum(early, small));
            world.pass(Duration.ofSeconds(3));
            assertFalse(works.get(2).isDone());
            assertFalse(works.get(3).isDone());
            ProcessGroup late = create(world, 0, "late", members);
            TensorView message = Tensors.filled(DataType.INT32, 300_000, i -> 0);
            TensorView tensor = Tensors.filled(DataType.INT32, 300_000, i -> 0);
            TensorView second = value(0);
            works.add(late.irecv(second, 0, 8, DEFAULT));
            works.add(late.irecv(message, 0, 7, DEFAULT));
            works.add(late.broadcast(tensor, 0, DEFAULT));
            works.add(sum(late, value(5)));
            world.succeed(works);
            Tensors.assertSame(large, tensor, "broadcast");
            Tensors.assertSame(large, message, "message");
            Tensors.assertSame(value(4), second, "second message");
            Tensors.assertSame(value(9), small, "sum");
        }
    }

    /** More messages than are held of other frames: their senders have long been told that they are sent. */
    @OnEveryTransport
    void shouldLoseNoMessageToAGroupThatIsCreatedLate(Harness.Factory factory) {
        WorldOptions options = WorldOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(2));
        try (Harness world = factory.start(2, options)) {
            List<Integer> members = List.of(0, 1);
            ProcessGroup early = create(world, 0, "late", members);
            int count = 10_000;
            List<Work> sends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                sends.add(early.isend(value(i), 1, 0, DEFAULT));
            }
            world.succeed(sends);
            // Longer than a call may take.
            world.pass(Duration.ofSeconds(5));
            ProcessGroup late = create(world, 1, "late", members);
            sends.add(early.isend(value(count), 1, 0, DEFAULT));
            List<TensorView> received = new ArrayList<>();
            List<Work> receives = new ArrayList<>();
            for (int i = 0; i <= count; i++) {
                received.add(value(-1));
                receives.add(late.irecv(received.get(i), 0, 0, DEFAULT));
            }
            world.succeed(receives);
            for (int i = 0; i <= count; i++) {
                assertEquals(i, Tensors.intValues(received.get(i))[0]);
            }
        }
    }

    /** Members that do not agree about the members hear of both lists. */
    @OnEveryTransport
    void shouldSayWhichGroupsOthersHaveCreated(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            ProcessGroup one = create(world, 0, "g", List.of(0, 1));
            create(world, 1, "g", List.of(1, 0));
            String text = world.failure(ErrorKind.TIMEOUT, one.barrier(DEFAULT.withTimeout(Duration.ofSeconds(2))));
            assertTrue(
                    text.contains("rank 1 of the world has not created this group, or not with the same members in the"
                            + " same order as often; its groups: g (ranks 1, 0 of the world)"),
                    text);
        }
    }

    @OnEveryTransport
    void shouldSayWhoHasNotCreatedTheGroup(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            ProcessGroup alone = create(world, 1, "pair", List.of(1, 2));
            Work work = alone.barrier(DEFAULT.withTimeout(Duration.ofSeconds(2)));
            String text = world.failure(ErrorKind.TIMEOUT, work);
            assertTrue(
                    text.contains("missing=[1] have not called (rank 1: has made no call on the group: rank 2 of the"
                            + " world has"),
                    text);
            assertTrue(text.contains("[rank 0 of group pair (ranks 1, 2 of the world), call #0 "), text);
            ProcessGroup other = create(world, 2, "pair", List.of(1, 2));
            // Its first call is the one that has failed: it hears of it.
            world.failure(ErrorKind.TIMEOUT, other.barrier(DEFAULT));
            world.succeed(List.of(alone.barrier(DEFAULT), other.barrier(DEFAULT)));
        }
    }

    /** D32: groups do not wait for each other, whatever the order in which their members call. */
    @OnEveryTransport
    void shouldRunGroupsSideBySide(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<List<ProcessGroup>> groups = new ArrayList<>();
            for (int g = 0; g < 6; g++) {
                groups.add(create(world, "group-" + g, 0, 1, 2, 3));
            }
            Random random = new Random(1);
            List<Work> works = new ArrayList<>();
            List<TensorView> results = new ArrayList<>();
            for (int rank = 0; rank < 4; rank++) {
                List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
                Collections.shuffle(order, random);
                for (int g : order) {
                    TensorView tensor = value(g + 1);
                    works.add(sum(groups.get(g).get(rank), tensor));
                    results.add(tensor);
                }
                works.add(world.group(rank).barrier(DEFAULT));
            }
            world.succeed(works);
            long total = results.stream()
                    .mapToLong(tensor -> Tensors.intValues(tensor)[0])
                    .sum();
            assertEquals(4 * 4 * (1 + 2 + 3 + 4 + 5 + 6), total);
        }
    }

    @OnEveryTransport
    void shouldKeepTheMessagesOfGroupsApart(Harness.Factory factory) {
        try (Harness world = factory.start(3)) {
            List<ProcessGroup> one = create(world, "one", 0, 2);
            List<ProcessGroup> two = create(world, "two", 2, 0);
            TensorView fromWorld = value(0);
            TensorView fromOne = value(0);
            TensorView fromTwo = value(0);
            List<Work> works = List.of(
                    world.group(2).irecv(fromWorld, 0, 1, DEFAULT),
                    two.get(0).irecv(fromTwo, 1, 1, DEFAULT),
                    one.get(1).irecv(fromOne, 0, 1, DEFAULT),
                    one.get(0).isend(value(10), 1, 1, DEFAULT),
                    two.get(1).isend(value(20), 0, 1, DEFAULT),
                    world.group(0).isend(value(30), 2, 1, DEFAULT));
            world.succeed(works);
            Tensors.assertSame(Tensors.ints(30), fromWorld, "world");
            Tensors.assertSame(Tensors.ints(10), fromOne, "one");
            Tensors.assertSame(Tensors.ints(20), fromTwo, "two");
        }
    }

    @OnEveryTransport
    void shouldTakeAGroupOfOne(Harness.Factory factory) {
        try (Harness world = factory.start(2)) {
            ProcessGroup self = create(world, 1, "self", List.of(1));
            TensorView tensor = value(7);
            world.succeed(List.of(sum(self, tensor), self.barrier(DEFAULT)));
            Tensors.assertSame(value(7), tensor, "sum of one");
            close(world, self);
        }
    }

    /** C22: the number of members divides, not that of the ranks of the world. */
    @OnEveryTransport
    void shouldDivideAnAverageByTheNumberOfMembers(Harness.Factory factory) {
        try (Harness world = factory.start(4)) {
            List<ProcessGroup> groups = create(world, "odd", 1, 3);
            TensorView one = Tensors.filled(DataType.FLOAT32, 10, i -> 2);
            TensorView three = Tensors.filled(DataType.FLOAT32, 10, i -> 4);
            world.succeed(List.of(
                    groups.get(0).allReduce(one, one, ReduceOp.AVG, DEFAULT),
                    groups.get(1).allReduce(three, three, ReduceOp.AVG, DEFAULT)));
            TensorView expected = Tensors.filled(DataType.FLOAT32, 10, i -> 3);
            Tensors.assertSame(expected, one, "average");
            Tensors.assertSame(expected, three, "average");
        }
    }
}
