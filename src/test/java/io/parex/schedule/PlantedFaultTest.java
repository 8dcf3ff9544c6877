package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.algorithm.BinomialBroadcast;
import io.parex.algorithm.ChainBroadcast;
import io.parex.algorithm.ChainReduce;
import io.parex.algorithm.DisseminationBarrier;
import io.parex.algorithm.LinearGather;
import io.parex.algorithm.RecursiveDoublingAllReduce;
import io.parex.algorithm.RingAllReduce;
import io.parex.algorithm.Worlds;
import io.parex.algorithm.Worlds.InPlace;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The validator can fail: one planted fault of each kind, and the words it is reported in. */
class PlantedFaultTest {

    private final WorldSchedules ring = Worlds.of(new RingAllReduce(), 3, 6, 0, InPlace.NONE);
    private final WorldSchedules doubling = Worlds.of(new RecursiveDoublingAllReduce(), 4, 5, 0, InPlace.ALL);
    private final WorldSchedules pair = Worlds.of(new RecursiveDoublingAllReduce(), 2, 5, 0, InPlace.ALL);
    private final WorldSchedules chain = Worlds.of(new ChainBroadcast(), 4, 5, 1, InPlace.NONE);
    private final WorldSchedules binomial = Worlds.of(new BinomialBroadcast(), 5, 5, 0, InPlace.NONE);
    private final WorldSchedules barrier = Worlds.of(new DisseminationBarrier(), 5, 0, 0, InPlace.NONE);

    @Test
    void shouldPassTheSchedulesThatTheFaultsArePlantedIn() {
        for (WorldSchedules world : new WorldSchedules[] {ring, doubling, pair, chain, binomial, barrier}) {
            assertTrue(ScheduleValidator.validateThoroughly(world).checks() > 0);
        }
    }

    @Test
    void shouldCatchADroppedStep() {
        assertFault("rank 1 step 7 (recv from 0 #3 output[0,2)) meets no send", Mutations.withoutStep(ring, 0, 6));
        assertFault("rank 0 step 6 (send to 1 #3 output[0,2)) meets no receive", Mutations.withoutStep(ring, 1, 7));
        assertFault("rank 1 output element 0 = 1@0 is not that of rank 0", Mutations.withoutStep(pair, 1, 2));
    }

    @Test
    void shouldCatchASwappedPeer() {
        assertFault("meets no send", Mutations.step(ring, 0, 0, step -> sendTo(2, step)));
        assertFault("meets no send", Mutations.step(binomial, 0, 0, step -> sendTo(3, step)));
    }

    @Test
    void shouldCatchMessagesInTheWrongOrder() {
        assertFault(", which expects partials and gets values", Mutations.swapped(ring, 0, 1, 3));
        WorldSchedules uneven = Worlds.of(new RingAllReduce(), 3, 7, 0, InPlace.NONE);
        assertFault(", of another length", Mutations.swapped(uneven, 1, 5, 7));
    }

    @Test
    void shouldCatchASliceThatIsOffByOne() {
        assertFault("combines different elements: 0@3 and 2@4", Mutations.step(ring, 0, 1, step -> {
            Step.RecvReduce old = (Step.RecvReduce) step;
            return new Step.RecvReduce(
                    old.peer(), moved(old.own(), -1), old.target(), old.partial(), old.ownFirst(), old.ordinal());
        }));
        assertFault(
                "rank 0: recv from 2 #3 output[5,7) runs over the end of a buffer", Mutations.step(ring, 0, 7, step -> {
                    Step.Recv old = (Step.Recv) step;
                    return new Step.Recv(old.peer(), moved(old.target(), 1), false, old.ordinal());
                }));
        assertFault("of another length", Mutations.step(ring, 0, 7, step -> {
            Step.Recv old = (Step.Recv) step;
            return new Step.Recv(old.peer(), new Slice(Buffer.OUTPUT, 4, 1), false, old.ordinal());
        }));
    }

    @Test
    void shouldCatchAMissingWriteAfterReadEdgeInPlace() {
        Edge edge = doubling.ranks().get(2).edges().stream()
                .filter(each -> each.from() == 0 && each.to() == 3)
                .findFirst()
                .orElseThrow();
        assertInstanceOf(Step.Send.class, doubling.ranks().get(2).steps().get(0));
        assertFault("while it is lent to rank 2 step 0", Mutations.withoutEdge(doubling, 2, edge));
    }

    @Test
    void shouldCatchAMissingReadAfterWriteEdge() {
        Edge edge = ring.ranks().get(1).edges().getFirst();
        assertEquals(new Edge(1, 2, 0, false), edge);
        assertFault("before it was written", Mutations.withoutEdge(ring, 1, edge));
    }

    @Test
    void shouldCatchAnEdgeThatIsOffByOne() {
        assertFault(
                "before it was written",
                Mutations.edges(ring, 1, edge -> new Edge(edge.from(), edge.to(), edge.shift() + 1, false)));
    }

    @Test
    void shouldCatchTheWrongForm() {
        assertFault("expects values and gets partials", Mutations.step(ring, 2, 3, step -> {
            Step.RecvReduce old = (Step.RecvReduce) step;
            assertTrue(old.partial());
            return new Step.RecvReduce(old.peer(), old.own(), old.target(), false, old.ownFirst(), old.ordinal());
        }));
    }

    @Test
    void shouldCatchTheWrongOrderOfOperands() {
        assertEquals(1, ScheduleValidator.validateThoroughly(localSums(false)).rounds());
        assertFault("rank 1 output element 0 = [(1+0)]@0 is not that of rank 0", localSums(true));
    }

    @Test
    void shouldCatchABufferFalselyMarkedAPipe() {
        assertFault(
                "rank 3: scratch0 is marked a pipe, but not written once and sent once, whole",
                Mutations.allPipes(doubling, 3));
    }

    @Test
    void shouldCatchADeadlockAndNameTheWaitingSteps() {
        WorldSchedules naive = Mutations.rank(pair, 0, old -> inPlaceExchange(0));
        assertFault("""
            deadlock:
              rank 0 step 0 (send to 1 #0 input[0,5)) is at 0 of 5, waits for rank 1
              rank 0 step 1 (recv_reduce from 1 #0 output[0,5) = input[0,5) + values) is at 0 of 5, \
            waits for step 0, rank 1
              rank 1 step 0 (send to 0 #0 input[0,5)) is at 0 of 5, waits for rank 0
              rank 1 step 1 (recv_reduce from 0 #0 output[0,5) = values + input[0,5)) is at 0 of 5, \
            waits for step 0, rank 0\
            """, Mutations.rank(naive, 1, old -> inPlaceExchange(1)));
    }

    @Test
    void shouldCatchReceivesThatWaitForEachOther() {
        WorldSchedules world = barrier;
        for (int rank = 0; rank < world.size(); rank++) {
            world = Mutations.swapped(world, rank, 0, 1);
        }
        assertFault("no order of whole steps runs the schedules", world);
    }

    @Test
    void shouldCatchABarrierThatDoesNotHearOfEverybody() {
        WorldSchedules world = Mutations.edges(barrier, 1, edge -> null);
        assertFault("is through without having heard of rank", world);
    }

    @Test
    void shouldCatchAWrongRoot() {
        List<Problem> problems = problems(Primitive.BROADCAST, 5, 5, 1, false);
        WorldSchedules other = new WorldSchedules(binomial.ranks(), problems);
        assertFault("rank 0: send to 4 #0 input[0,5) runs over the end of a buffer", other);
    }

    @Test
    void shouldCatchAnOutputOfARankThatHasNone() {
        Slice output = new Slice(Buffer.OUTPUT, 0, 5);
        WorldSchedules reduce = Worlds.of(new ChainReduce(), 3, 5, 0, InPlace.NONE);
        assertFault(
                "rank 2: copy output[0,5) = input[0,5) runs over the end of a buffer",
                Mutations.rank(
                        reduce,
                        2,
                        old -> new ScheduleBuilder("chain", reduce.problem(2))
                                .send(1, new Slice(Buffer.INPUT, 0, 5))
                                .copy(new Slice(Buffer.INPUT, 0, 5), output)
                                .build()));
    }

    @Test
    void shouldCatchABlockInTheWrongPlace() {
        WorldSchedules gather = Worlds.of(new LinearGather(), 3, 2, 0, InPlace.NONE);
        Slice wrong = new Slice(Buffer.OUTPUT, 0, 2);
        assertFault(
                "rank 0 output element 0 = 1@0 is not 0@0",
                Mutations.step(gather, 0, 1, step -> new Step.Recv(1, wrong, false, 0)));
    }

    @Test
    void shouldCatchAForwarderThatDoesNotWait() {
        assertFault(
                "while it is lent to rank 2 step 1 (send to 3 #0 output[0,5))",
                Mutations.edges(chain, 2, edge -> null));
    }

    @Test
    void shouldCatchAnUnfinishedResultThatIsPassedOn() {
        assertFault("rank 0 output element 4 = 1@4 is not finished", Mutations.step(ring, 1, 4, step -> {
            Step.Send old = (Step.Send) step;
            return new Step.Send(old.peer(), new Slice(Buffer.INPUT, 4, 2), old.ordinal());
        }));
    }

    private static void assertFault(String words, WorldSchedules world) {
        ScheduleFault fault = assertThrows(ScheduleFault.class, () -> ScheduleValidator.validateThoroughly(world));
        assertTrue(fault.getMessage().contains(words), fault::getMessage);
    }

    private static Step sendTo(int peer, Step step) {
        Step.Send old = (Step.Send) step;
        return new Step.Send(peer, old.source(), old.ordinal());
    }

    private static Slice moved(Slice slice, int by) {
        return new Slice(slice.buffer(), slice.offset() + by, slice.length());
    }

    /** Two ranks that both overwrite what the other has not yet taken. */
    private static Schedule inPlaceExchange(int rank) {
        Slice input = new Slice(Buffer.INPUT, 0, 5);
        return new ScheduleBuilder("naive", Problem.of(Primitive.ALL_REDUCE, rank, 2, 5, 0, true))
                .send(1 - rank, input)
                .recvReduce(1 - rank, input, new Slice(Buffer.OUTPUT, 0, 5), false)
                .build();
    }

    /** Two ranks that exchange partial results and sum them locally, rank 1 in the wrong order if {@code wrong}. */
    private static WorldSchedules localSums(boolean wrong) {
        Schedule[] schedules = new Schedule[2];
        List<Problem> problems = problems(Primitive.ALL_REDUCE, 2, 5, 0, false);
        for (int rank = 0; rank < 2; rank++) {
            ScheduleBuilder builder = new ScheduleBuilder("local", problems.get(rank));
            Slice own = new Slice(builder.scratch(5), 0, 5);
            Slice other = new Slice(builder.scratch(5), 0, 5);
            builder.copy(new Slice(Buffer.INPUT, 0, 5), own).send(1 - rank, own).recv(1 - rank, other);
            boolean ownFirst = rank == 0 || wrong;
            builder.reduce(ownFirst ? own : other, ownFirst ? other : own, new Slice(Buffer.OUTPUT, 0, 5));
            schedules[rank] = builder.build();
        }
        return new WorldSchedules(List.of(schedules), problems);
    }

    private static List<Problem> problems(Primitive primitive, int size, long count, int root, boolean inPlace) {
        return IntStream.range(0, size)
                .mapToObj(rank -> Problem.of(primitive, rank, size, count, root, inPlace))
                .toList();
    }
}
