package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ParexClient;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranks of one world, one of which is called over gRPC and the other by the Java API. */
class MixedCallersTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @ParameterizedTest
    @EnumSource(
            value = ReduceOp.class,
            names = {"SUM", "AVG", "MAX", "BXOR"})
    void shouldReduceTogether(ReduceOp op) {
        try (EdgeServer server = EdgeServer.of(2);
                ParexClient client = server.client(0)) {
            TensorView mine = Tensors.ints(3, i -> 6);
            TensorView other = Tensors.ints(3, i -> 2);
            ClientWork called = client.allReduce(mine, mine, op, ClientOptions.DEFAULT);
            ProcessGroup group = server.edge().ranks().worlds().get(1).group();
            Work work = group.allReduce(other, other, op, CallOptions.DEFAULT);
            called.await().atMost(LIMIT);
            work.await();
            int result = switch (op) {
                case SUM -> 8;
                case AVG, BXOR -> 4;
                default -> 6;
            };
            assertArrayEquals(new int[] {result, result, result}, Tensors.ints(mine));
            assertArrayEquals(new int[] {result, result, result}, Tensors.ints(other));
        }
    }
}
