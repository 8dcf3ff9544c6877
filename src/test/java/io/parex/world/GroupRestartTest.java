package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of some ranks, of which one is started again. */
class GroupRestartTest extends RestartFixture {
    private static final CallOptions DEFAULT = CallOptions.DEFAULT;

    private ProcessGroup create(int rank, String name, List<Integer> members) {
        CompletableFuture<ProcessGroup> made =
                worlds.get(rank).newGroup(name, members).subscribeAsCompletionStage();
        until(made::isDone, LONG);
        return made.join();
    }

    private List<ProcessGroup> createAll(String name, List<Integer> members) {
        return new ArrayList<>(
                members.stream().map(rank -> create(rank, name, members)).toList());
    }

    private void closeAll(List<ProcessGroup> groups) {
        for (ProcessGroup group : groups) {
            group.close().subscribe().with(closed -> {});
            until(group::isClosed, LONG);
        }
    }

    private List<Work> sums(List<ProcessGroup> groups) {
        return groups.stream()
                .map(group -> {
                    TensorView tensor = Tensors.filled(DataType.INT32, 30_000, i -> i + group.rank());
                    return group.allReduce(tensor, tensor, ReduceOp.SUM, DEFAULT);
                })
                .toList();
    }

    private void assertWorks(List<ProcessGroup> groups) {
        List<Work> works = sums(groups);
        until(() -> works.stream().allMatch(Work::isDone), LONG);
        works.forEach(Work::await);
    }

    private void recover(List<ProcessGroup> groups) {
        List<CompletableFuture<Recovered>> recoveries =
                groups.stream().map(group -> RecoveryTest.recover(group, LONG)).toList();
        until(() -> recoveries.stream().allMatch(CompletableFuture::isDone), LONG.multipliedBy(2));
        assertEquals(
                1, recoveries.stream().map(CompletableFuture::join).distinct().count(), "all members hear the same");
    }

    private void assertEnded(List<ProcessGroup> groups) {
        for (ProcessGroup group : groups) {
            until(() -> group.outdated().isPresent(), LONG);
            ParexException failure = failure(group.barrier(DEFAULT), LONG);
            assertEquals(ErrorKind.ABORTED, failure.kind(), failure.getMessage());
            assertTrue(failure.getMessage().contains("call recover on every member"), failure.getMessage());
        }
    }

    /** It is not disturbed, and neither is a call of it that is in flight. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldGoOnWithoutTheRankThatIsStartedAgain(int seed) {
        start(5, seed);
        List<ProcessGroup> groups = createAll("others", List.of(4, 0, 2));
        assertWorks(groups);
        List<Work> begun = sums(groups.subList(0, 2));
        restart(3);
        assertWorksWith(begun, groups.get(2));
        assertWorks(groups);
        assertTrue(groups.stream().allMatch(group -> group.outdated().isEmpty()));
    }

    private void assertWorksWith(List<Work> begun, ProcessGroup last) {
        List<Work> works = new ArrayList<>(begun);
        works.addAll(sums(List.of(last)));
        until(() -> works.stream().allMatch(Work::isDone), LONG);
        works.forEach(Work::await);
    }

    /** The new process creates it, and all recover it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldRecoverWithAMemberThatWasStartedAgain(int seed) {
        start(6, seed);
        List<Integer> members = List.of(5, 1, 3, 0);
        List<ProcessGroup> groups = createAll("g", members);
        assertWorks(groups);
        restart(3);
        groups.set(2, create(3, "g", members));
        assertEnded(groups);
        recover(groups);
        assertWorks(groups);
        restart(3);
        groups.set(2, create(3, "g", members));
        recover(groups);
        assertWorks(groups);
    }

    /** A member that has not called anything cannot know that others have; it hears so in place of waiting. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldTellTheNewProcessThatOthersWaitForARecovery(int seed) {
        start(4, seed);
        List<Integer> members = List.of(0, 1, 2, 3);
        List<ProcessGroup> groups = createAll("g", members);
        assertWorks(groups);
        restart(2);
        simulation.run(Duration.ofSeconds(20).toNanos());
        groups.set(2, create(2, "g", members));
        ParexException failure = failure(groups.get(2).barrier(DEFAULT), LONG);
        assertEquals(ErrorKind.ABORTED, failure.kind(), failure.getMessage());
        recover(groups);
        assertWorks(groups);
    }

    /** Of a group on which nobody has called anything nothing is lost. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldGoOnWithoutARecoveryIfNobodyHasCalledAnything(int seed) {
        start(4, seed);
        List<Integer> members = List.of(3, 2, 1);
        List<ProcessGroup> groups = createAll("g", members);
        restart(2);
        groups.set(1, create(2, "g", members));
        assertWorks(groups);
        assertEquals(4, groups.getFirst().epoch());
        assertTrue(groups.getFirst().isEpoch(3), "who was told of the epoch before need not know of this one");
    }

    /** Closed and created again, whatever the number of times that each process has done so before. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldBeCreatedAgainAfterARestart(int seed) {
        start(4, seed);
        List<Integer> members = List.of(1, 2, 3);
        List<ProcessGroup> groups = createAll("g", members);
        for (int round = 0; round < 3; round++) {
            assertWorks(groups);
            closeAll(groups);
            groups = createAll("g", members);
        }
        restart(2);
        closeAll(List.of(groups.get(0), groups.get(2)));
        for (int round = 0; round < 3; round++) {
            groups = createAll("g", members);
            assertWorks(groups);
            closeAll(groups);
        }
    }

    /** Members come to one number of instances again by a recovery. */
    @Test
    void shouldBeCreatedAgainAfterARecovery() {
        start(3, 7);
        List<Integer> members = List.of(0, 2);
        List<ProcessGroup> groups = createAll("g", members);
        closeAll(List.of(groups.getFirst()));
        groups.set(0, create(0, "g", members));
        List<ProcessGroup> uneven = groups;
        assertEquals(
                ErrorKind.LEFT,
                failure(uneven.get(1).barrier(DEFAULT), LONG).kind(),
                "the instance of the other has gone on");
        closeAll(List.of(groups.get(1)));
        groups.set(1, create(2, "g", members));
        assertWorks(groups);
        recover(groups);
        assertWorks(groups);
        closeAll(groups);
        assertWorks(createAll("g", members));
    }

    @Test
    void shouldFailCallsThatNeedAMemberThatIsLost() {
        start(4, 9);
        crash(3);
        until(
                () -> IntStream.range(0, 3)
                        .allMatch(rank -> worlds.get(rank).lostRanks().equals(List.of(3))),
                LONG);
        ProcessGroup group = create(1, "g", List.of(1, 3));
        ParexException failure = failure(group.barrier(DEFAULT), Duration.ofSeconds(5));
        assertEquals(ErrorKind.PEER_FAILED, failure.kind(), failure.getMessage());
        assertTrue(failure.getMessage().contains("rank 1 is lost ("), failure.getMessage());
    }

    @Test
    void shouldFailCallsThatNeedAMemberThatHasLeftTheWorld() {
        start(4, 10);
        ProcessGroup before = create(1, "before", List.of(1, 2));
        Work waiting = before.barrier(DEFAULT);
        assertSums();
        worlds.get(2).leave();
        until(() -> worlds.get(2).state() == WorldState.CLOSED, LONG);
        assertEquals(ErrorKind.LEFT, failure(waiting, Duration.ofSeconds(5)).kind());
        ProcessGroup after = create(1, "after", List.of(1, 2));
        assertEquals(
                ErrorKind.LEFT,
                failure(after.barrier(DEFAULT), Duration.ofSeconds(5)).kind());
    }
}
