package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientGroup;
import io.parex.client.ClientOperations;
import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.client.Recovered;
import io.parex.client.Transfer;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.World;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of some ranks by the Java client, on four ranks of one process. */
class ClientGroupsTest {
    private static final ClientOptions CALL = ClientOptions.DEFAULT;
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int SIZE = 4;

    private EdgeServer server;
    private List<ParexClient> clients;

    @BeforeEach
    void start() {
        server = EdgeServer.of(SIZE);
        clients = new ArrayList<>(
                IntStream.range(0, SIZE).mapToObj(server::client).toList());
    }

    @AfterEach
    void stop() {
        clients.forEach(ParexClient::close);
        Awaitility.await()
                .atMost(LIMIT)
                .until(() -> server.edge().inFlight().count() == 0
                        && server.edge().staging().usedBytes() == 0
                        && openGroups() == 0);
        server.close();
    }

    private long openGroups() {
        return server.edge().ranks().worlds().stream()
                .mapToLong(world -> world.groups().size() - 1)
                .sum();
    }

    private ClientGroup create(int rank, String name, Integer... members) {
        return clients.get(rank).newGroup(name, List.of(members)).await().atMost(LIMIT);
    }

    private List<ClientGroup> createAll(String name, Integer... members) {
        return List.of(members).stream()
                .map(rank -> create(rank, name, members))
                .toList();
    }

    private static void assertSums(List<? extends ClientOperations> groups) {
        List<TensorView> tensors = IntStream.rangeClosed(1, groups.size())
                .mapToObj(value -> Tensors.ints(3, i -> value))
                .toList();
        List<ClientWork> works = IntStream.range(0, groups.size())
                .mapToObj(rank -> groups.get(rank).allReduce(tensors.get(rank), tensors.get(rank), ReduceOp.SUM, CALL))
                .toList();
        works.forEach(work -> work.await().atMost(LIMIT));
        int sum = groups.size() * (groups.size() + 1) / 2;
        tensors.forEach(tensor -> assertArrayEquals(new int[] {sum, sum, sum}, Tensors.ints(tensor)));
    }

    private static ParexException failure(Uni<?> work) {
        return assertThrows(ParexException.class, () -> work.await().atMost(LIMIT));
    }

    @Test
    void shouldCallOnGroupsSideBySide() {
        List<ClientGroup> pair = createAll("pair", 3, 1);
        List<ClientGroup> three = createAll("three", 0, 1, 2);
        assertEquals(List.of(3, 1), pair.getFirst().members());
        assertEquals(1, pair.get(1).rank());
        assertEquals(2, pair.get(1).size());
        assertEquals(0, pair.get(1).rankOf(3));
        assertEquals("pair", pair.get(1).name());
        for (int round = 0; round < 3; round++) {
            assertSums(pair);
            assertSums(three);
            assertSums(clients);
        }
        pair.forEach(group -> group.close().await().atMost(LIMIT));
        assertSums(three);
        assertEquals(3, openGroups());
    }

    @Test
    void shouldSendAndReceiveByRanksOfTheGroup() {
        List<ClientGroup> pair = createAll("pair", 2, 0);
        TensorView received = Tensors.ints(1, i -> 0);
        TensorView exchanged = Tensors.ints(1, i -> 0);
        List<ClientWork> works = new ArrayList<>();
        works.add(pair.get(0).recv(received, 1, CALL.withTag(5)));
        works.add(pair.get(1).send(Tensors.ints(1, i -> 41), 0, CALL.withTag(5)));
        works.add(pair.get(0)
                .sendRecv(
                        Transfer.send(Tensors.ints(1, i -> 8), 1, 1),
                        Transfer.recv(Tensors.ints(1, i -> 0), 1, 2),
                        CALL));
        works.addAll(pair.get(1)
                .batch(List.of(Transfer.recv(exchanged, 0, 1), Transfer.send(Tensors.ints(1, i -> 9), 0, 2)), CALL));
        works.forEach(work -> work.await().atMost(LIMIT));
        assertArrayEquals(new int[] {41}, Tensors.ints(received));
        assertArrayEquals(new int[] {8}, Tensors.ints(exchanged));
    }

    /** C58 and C59. */
    @Test
    void shouldRefuseWhatCannotBeMeant() {
        List<ClientGroup> high = createAll("high", 2, 3);
        assertRefused(clients.get(0).newGroup("high", List.of(2, 3)), "rank 0 of the world is not a member");
        assertRefused(
                clients.get(2).newGroup("high", List.of(3, 2)), "a group high of ranks [2, 3] of the world is open");
        assertRefused(clients.get(2).newGroup("", List.of(3, 2)), "a group needs a name");
        assertRefused(
                clients.get(2).newGroup("other", List.of(2, 4)), "member 4 is not a rank of the world, which has 4");
        assertRefused(clients.get(2).newGroup(null, List.of(2)), "name");
        assertRefused(clients.get(2).newGroup("other", null), "list of members");
        for (ClientGroup group : high) {
            // It fails on both at once.
            ParexException stranger = failure(group.broadcast(Tensors.ints(1, i -> 1), 2, CALL));
            assertEquals(ErrorKind.ARGUMENT, stranger.kind(), stranger.getMessage());
        }
        assertThrows(ParexException.class, () -> high.getFirst().rankOf(1));
        assertSums(high);
    }

    private static void assertRefused(Uni<?> work, String text) {
        ParexException refusal = failure(work);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
        assertTrue(refusal.wasRefused(), refusal.getMessage());
    }

    @Test
    void shouldRefuseCallsOnAGroupThatIsClosed() {
        List<ClientGroup> pair = createAll("pair", 0, 1);
        pair.getFirst().close().await().atMost(LIMIT);
        ParexException mine = failure(pair.getFirst().barrier(CALL));
        assertEquals(ErrorKind.ARGUMENT, mine.kind());
        assertTrue(
                mine.getMessage().contains("there is no group 'pair' on rank 0; its groups: world"), mine.getMessage());
        assertEquals(ErrorKind.LEFT, failure(pair.get(1).barrier(CALL)).kind());
        assertRefused(pair.getFirst().close(), "rank 0 has no group 'pair' that was created for this session");
    }

    /** With its session a client's groups end, and the other members hear so. */
    @Test
    void shouldCloseTheGroupsOfASessionThatEnds() {
        List<ClientGroup> pair = createAll("pair", 0, 1);
        assertSums(pair);
        ClientWork waiting = pair.get(1).barrier(CALL);
        clients.getFirst().disconnect().await().atMost(LIMIT);
        assertEquals(ErrorKind.LEFT, failure(waiting).kind());
        pair.get(1).close().await().atMost(LIMIT);
        clients.set(0, server.client(0));
        assertSums(createAll("pair", 0, 1));
    }

    /** Two clients of a rank that create it share it; it is open until both have closed it. */
    @Test
    void shouldShareAGroupOfOneNameAndMembers() {
        List<ClientGroup> pair = createAll("pair", 0, 1);
        try (ParexClient second = server.client(0)) {
            ClientGroup shared = second.newGroup("pair", List.of(0, 1)).await().atMost(LIMIT);
            pair.getFirst().close().await().atMost(LIMIT);
            TensorView tensor = Tensors.ints(1, i -> 0);
            ClientWork receive = shared.recv(tensor, 1, CALL);
            pair.get(1).send(Tensors.ints(1, i -> 6), 0, CALL).await().atMost(LIMIT);
            receive.await().atMost(LIMIT);
            assertArrayEquals(new int[] {6}, Tensors.ints(tensor));
        }
        Awaitility.await().atMost(LIMIT).until(() -> openGroups() == 1);
    }

    @Test
    void shouldRecoverAGroupAndLeaveOthersAlone() {
        List<ClientGroup> pair = createAll("pair", 0, 1);
        List<ClientGroup> other = createAll("other", 1, 2);
        assertSums(pair);
        ClientWork open = other.getFirst().barrier(CALL);
        Uni<Recovered> mine = pair.getFirst().recover(LIMIT);
        Recovered recovered = pair.get(1).recover(LIMIT).await().atMost(LIMIT);
        assertEquals(recovered, mine.await().atMost(LIMIT));
        assertSums(pair);
        other.get(1).barrier(CALL).await().atMost(LIMIT);
        open.await().atMost(LIMIT);
        assertSums(clients);
    }

    /** C62, at the edge. */
    @Test
    void shouldCreateAndCloseAgainAndAgain() {
        for (int round = 0; round < 100; round++) {
            List<ClientGroup> pair = createAll(round % 2 == 0 ? "pair" : "pair-" + round, 0, 1);
            assertSums(pair);
            pair.forEach(group -> group.close().await().atMost(LIMIT));
        }
        assertEquals(0, openGroups());
        for (World world : server.edge().ranks().worlds()) {
            assertEquals(0, world.scratchBytes());
        }
    }

    @Test
    void shouldNotRefuseCollectivesOfOneGroupForThoseOfAnother() {
        List<ClientGroup> pair = createAll("pair", 0, 1);
        List<ClientGroup> other = createAll("other", 0, 1);
        pair.getFirst().close().await().atMost(LIMIT);
        // Refused, and not known to have been when the next one is sent.
        ClientWork refused = pair.getFirst().barrier(CALL);
        assertSums(other);
        assertEquals(ErrorKind.ARGUMENT, failure(refused).kind());
    }
}
