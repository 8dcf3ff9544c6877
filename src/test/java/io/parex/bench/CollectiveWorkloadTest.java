package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.Work;
import io.parex.world.WorldOptions;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each collective leaves what the verification wants, and a call that was not made, or is another, does not. */
class CollectiveWorkloadTest {
    private static final int RANKS = 3;
    private static final long COUNT = 6 * Pattern.PERIOD;

    static Stream<Arguments> calls() {
        return Arrays.stream(Primitive.values())
                .filter(primitive -> primitive.isCollective() && primitive != Primitive.BARRIER)
                .flatMap(primitive -> Stream.of(false, true).map(inPlace -> Arguments.of(primitive, inPlace)));
    }

    @ParameterizedTest(name = "{0}, in place: {1}")
    @MethodSource("calls")
    void shouldTellRightFromWrong(Primitive primitive, boolean inPlace) {
        CallShape shape = new CallShape(DataType.INT32, ReduceOp.SUM, 1, inPlace);
        try (Arena arena = Arena.ofShared();
                LocalWorld world = LocalWorld.start(RANKS, WorldOptions.DEFAULT)) {
            RankMemory memory = new RankMemory(arena, RANKS, COUNT * Integer.BYTES, DataType.INT32);
            Patterns patterns = new Patterns(arena, RANKS, DataType.INT32);
            Setup setup = new Setup(world, memory, patterns, CallOptions.DEFAULT);
            Workload workload = new CollectiveWorkload(setup, primitive, COUNT, shape);
            Exchange exchange = Layouts.exchange(primitive, RANKS, COUNT, shape);
            long elements = IntStream.range(0, RANKS)
                    .filter(exchange::hasOutput)
                    .mapToLong(exchange::outputCount)
                    .sum();
            workload.prepare();
            long before = workload.wrong();
            if (!inPlace) {
                assertEquals(elements, before, "what no call has written");
            }
            List<Work> works = IntStream.range(0, RANKS)
                    .mapToObj(rank -> workload.start(rank, 0))
                    .toList();
            works.forEach(Work::await);
            assertEquals(0, workload.wrong());
            int taker =
                    IntStream.range(0, RANKS).filter(exchange::hasOutput).max().orElseThrow();
            // The buffer of a rank begins with its output, but for a block of an input in place.
            long first = exchange.isShared(taker) ? Math.max(0, exchange.outputInInput(taker)) : 0;
            RankMemory.spoil(memory.output(taker, COUNT).slice(first + 5, 7));
            assertEquals(7, workload.wrong());
        }
    }
}
