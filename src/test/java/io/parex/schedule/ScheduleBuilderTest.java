package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ScheduleBuilderTest {

    private static ScheduleBuilder builder(boolean inPlace) {
        return new ScheduleBuilder("test", Problem.of(Primitive.ALL_REDUCE, 0, 4, 20, 0, inPlace));
    }

    private static Slice input(long offset, long length) {
        return new Slice(Buffer.INPUT, offset, length);
    }

    private static Slice output(long offset, long length) {
        return new Slice(Buffer.OUTPUT, offset, length);
    }

    @Test
    void shouldNumberMessagesPerPeerAndDirection() {
        List<Step> steps = builder(false)
                .send(1, input(0, 1))
                .send(2, input(0, 1))
                .send(1, input(1, 1))
                .recv(1, output(0, 1))
                .recvReduce(1, input(1, 1), output(1, 1), true)
                .build()
                .steps();
        assertEquals(
                List.of(
                        new Step.Send(1, input(0, 1), 0),
                        new Step.Send(2, input(0, 1), 0),
                        new Step.Send(1, input(1, 1), 1),
                        new Step.Recv(1, output(0, 1), false, 0),
                        new Step.RecvReduce(1, input(1, 1), output(1, 1), true, true, 1)),
                steps);
    }

    @Test
    void shouldWaitForTheWriterOfWhatIsRead() {
        assertEquals(
                List.of(new Edge(0, 1, 0, false)),
                builder(false)
                        .recv(1, output(3, 4))
                        .send(2, output(3, 4))
                        .build()
                        .edges());
    }

    @Test
    void shouldWaitBehindAWriterThatBeginsBefore() {
        assertEquals(
                List.of(new Edge(0, 1, -2, false)),
                builder(false)
                        .recv(1, output(3, 4))
                        .send(2, output(5, 9))
                        .build()
                        .edges());
    }

    @Test
    void shouldRunFreelyUpToAWriterThatBeginsAfter() {
        Edge edge = builder(false)
                .recv(1, output(3, 4))
                .send(2, output(1, 9))
                .build()
                .edges()
                .getFirst();
        assertEquals(new Edge(0, 1, 2, false), edge);
        assertEquals(2, edge.limit(0, false));
        assertEquals(5, edge.limit(3, false));
        assertEquals(Long.MAX_VALUE, edge.limit(4, true));
    }

    @Test
    void shouldNotWaitForNeighboursOrOtherReaders() {
        assertEquals(
                List.of(),
                builder(false)
                        .recv(1, output(3, 4))
                        .send(2, output(0, 3))
                        .send(2, output(7, 1))
                        .send(2, input(3, 4))
                        .send(3, input(3, 4))
                        .build()
                        .edges());
    }

    @Test
    void shouldKeepTheTightestOfSeveralOverlaps() {
        ScheduleBuilder builder = builder(false);
        Buffer scratch = builder.scratch(10);
        builder.copy(input(0, 4), new Slice(scratch, 2, 4));
        builder.reduce(new Slice(scratch, 0, 4), new Slice(scratch, 3, 4), output(0, 4));
        assertEquals(List.of(new Edge(0, 1, -1, false)), builder.build().edges());
    }

    @Test
    void shouldWaitForReadersOfTheInputOnlyWhereOutputIsInput() {
        assertEquals(List.of(), exchange(false));
        assertEquals(List.of(new Edge(0, 1, 0, false)), exchange(true));
    }

    private static List<Edge> exchange(boolean inPlace) {
        return builder(inPlace)
                .send(1, input(0, 4))
                .recv(1, output(0, 4))
                .build()
                .edges();
    }

    @Test
    void shouldDropWhatALaterWriteCovers() {
        assertEquals(
                List.of(
                        new Edge(0, 1, 0, false),
                        new Edge(0, 2, 1, false),
                        new Edge(1, 2, 1, false),
                        new Edge(2, 3, -1, false)),
                builder(false)
                        .recv(1, output(2, 2))
                        .send(1, output(2, 2))
                        .recv(2, output(1, 4))
                        .send(3, output(2, 2))
                        .build()
                        .edges());
    }

    @Test
    void shouldChainTokens() {
        Slice token = output(0, 0);
        List<Edge> edges = builder(false)
                .send(1, token)
                .recv(3, token)
                .send(2, token)
                .recv(2, token)
                .send(3, token)
                .recv(1, output(0, 5))
                .build()
                .edges();
        assertEquals(
                List.of(
                        new Edge(1, 2, 0, true),
                        new Edge(1, 3, 0, true),
                        new Edge(3, 4, 0, true),
                        new Edge(3, 5, 0, true)),
                edges);
        assertEquals(0, edges.getFirst().limit(0, false));
    }

    /** An empty block in the middle, or at either end, of what is sent with it. */
    @Test
    void shouldPassOnTokensWithTheElementsAroundThem() {
        for (int place : new int[] {2, 4, 6}) {
            List<Edge> edges = builder(false)
                    .recv(3, output(place, 0))
                    .send(1, output(2, 4))
                    .send(2, output(place + 5, 1))
                    .recv(1, output(2, 4))
                    .send(2, output(place, 0))
                    .build()
                    .edges();
            Edge token = new Edge(0, 1, 0, true);
            assertEquals(
                    List.of(token, new Edge(0, 3, 0, true), new Edge(1, 3, 0, false), new Edge(3, 4, 0, true)),
                    edges.stream()
                            .filter(edge -> edge.from() > 0 || edge.to() < 4)
                            .toList());
        }
    }

    /** What overwrites one side of the place only does not stand for the token. */
    @Test
    void shouldKeepATokenUntilElementsOnBothSidesAreWritten() {
        ScheduleBuilder oneSide =
                builder(false).recv(1, output(3, 0)).recv(2, output(3, 4)).send(3, output(1, 2));
        assertEquals(
                List.of(new Edge(0, 1, 0, true), new Edge(0, 2, 0, true)),
                oneSide.build().edges());
        ScheduleBuilder bothSides =
                builder(false).recv(1, output(3, 0)).recv(2, output(2, 4)).send(3, output(2, 1));
        assertEquals(
                List.of(new Edge(0, 1, 0, true), new Edge(1, 2, 0, false)),
                bothSides.build().edges());
    }

    @Test
    void shouldWaitForStepsThatTouchNothingInCommon() {
        assertEquals(
                List.of(new Edge(0, 2, 0, true), new Edge(1, 3, 0, true)),
                builder(false)
                        .afterSendsBut(1)
                        .send(1, input(0, 1))
                        .afterSendsBut(1)
                        .send(2, input(1, 1))
                        .afterSendsBut(1)
                        .send(3, input(2, 1))
                        .afterSendsBut(1)
                        .send(1, input(3, 1))
                        .build()
                        .edges());
        assertEquals(
                List.of(new Edge(0, 3, 0, true), new Edge(2, 3, 0, true)),
                builder(false)
                        .recv(1, output(0, 1))
                        .send(1, input(0, 1))
                        .recvReduce(2, input(2, 1), output(2, 1), false)
                        .afterReceives()
                        .send(3, input(0, 1))
                        .send(2, input(0, 1))
                        .build()
                        .edges());
    }

    @Test
    void shouldShiftWhatIsTheSameMemoryInPlace() {
        Problem gather = Problem.of(Primitive.ALL_GATHER, 2, 4, 12, 0, true);
        assertEquals(
                List.of(new Edge(0, 1, 0, false)),
                new ScheduleBuilder("test", gather)
                        .send(1, input(0, 3))
                        .recv(1, output(6, 3))
                        .recv(1, output(3, 3))
                        .build()
                        .edges());
        Problem scatter = Problem.of(Primitive.REDUCE_SCATTER, 2, 4, 12, 0, true);
        assertEquals(
                List.of(new Edge(0, 1, -6, false)),
                new ScheduleBuilder("test", scatter)
                        .send(1, input(0, 9))
                        .recv(1, output(0, 3))
                        .send(1, input(9, 3))
                        .build()
                        .edges());
    }

    @Test
    void shouldCopyNothingToWhereItIs() {
        Problem gather = Problem.of(Primitive.ALL_GATHER, 2, 4, 12, 0, true);
        assertEquals(
                List.of(),
                new ScheduleBuilder("test", gather)
                        .copy(input(0, 3), output(6, 3))
                        .build()
                        .steps());
        assertEquals(
                1, builder(true).copy(input(0, 3), output(0, 3)).build().steps().size());
    }

    @Test
    void shouldFindPipes() {
        assertTrue(isPipe((builder, all) -> builder.copy(input(0, 4), all).send(1, all)));
        assertTrue(isPipe(
                (builder, all) -> builder.recvReduce(1, input(0, 4), all, true).send(1, all)));
    }

    @Test
    void shouldFindNoPipeWhereAWindowIsNotEnough() {
        Slice half = new Slice(Buffer.scratch(0), 0, 2);
        assertTrue(!isPipe((builder, all) -> {}), "unused");
        assertTrue(!isPipe((builder, all) -> builder.copy(input(0, 4), all)), "never read");
        assertTrue(!isPipe((builder, all) -> builder.copy(input(0, 2), half).send(1, half)), "not whole");
        assertTrue(!isPipe((builder, all) -> builder.copy(input(0, 4), all).send(1, half)), "read in part");
        assertTrue(!isPipe((builder, all) -> builder.copy(input(0, 4), all).copy(all, output(0, 4))), "read locally");
        assertTrue(
                !isPipe((builder, all) ->
                        builder.copy(input(0, 4), all).send(1, all).send(2, all)),
                "read twice");
        assertTrue(
                !isPipe((builder, all) ->
                        builder.copy(input(0, 4), all).send(1, all).copy(input(0, 4), all)),
                "written twice");
        assertTrue(!isPipe((builder, all) -> builder.send(1, all).copy(input(0, 4), all)), "read before");
    }

    private interface Author {
        void write(ScheduleBuilder builder, Slice all);
    }

    private static boolean isPipe(Author author) {
        ScheduleBuilder builder = builder(false);
        author.write(builder, new Slice(builder.scratch(4), 0, 4));
        Schedule.Scratch scratch = builder.build().scratch().getFirst();
        assertEquals(4, scratch.length());
        return scratch.pipe();
    }

    @Test
    void shouldAllowAStepToAliasItsOwnSlicesExactly() {
        builder(true).recvReduce(1, input(2, 3), output(2, 3), false);
        ScheduleBuilder builder = builder(false);
        Slice scratch = new Slice(builder.scratch(4), 0, 4);
        builder.reduce(scratch, scratch, scratch);
        assertEquals(List.of(), builder.build().edges());
    }

    @Test
    void shouldRefuseWhatNoAlgorithmCanMean() {
        refused("input is read-only", builder -> builder.recv(1, input(0, 1)));
        refused("slices of different lengths", builder -> builder.copy(input(0, 2), output(0, 3)));
        refused("alias its own slices exactly", builder -> builder.copy(input(0, 2), output(1, 2)));
        refused("rank 0 of 4 has no peer 0", builder -> builder.send(0, input(0, 1)));
        refused("rank 0 of 4 has no peer 4", builder -> builder.recv(4, output(0, 1)));
        refused("rank 0 of 4 has no peer -1", builder -> builder.send(-1, input(0, 1)));
        refused("no such buffer", builder -> builder.send(1, new Slice(Buffer.scratch(0), 0, 1)));
        refused("ends after its buffer", builder -> builder.send(1, new Slice(builder.scratch(3), 1, 3)));
        refused("scratch of -1 elements", builder -> builder.scratch(-1));
        refused("slice [-1, +1)", builder -> builder.send(1, input(-1, 1)));
        refused("slice [0, +-1)", builder -> builder.send(1, input(0, -1)));
        refused("rank 4 of 4", builder -> Problem.of(Primitive.BARRIER, 4, 4, 0, 0, false));
    }

    private static void refused(String words, Consumer<ScheduleBuilder> author) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> author.accept(builder(true)));
        assertTrue(refused.getMessage().contains(words), refused::getMessage);
    }
}
