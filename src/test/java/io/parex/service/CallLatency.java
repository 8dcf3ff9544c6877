package io.parex.service;

import io.parex.client.ClientOptions;
import io.parex.client.ParexClient;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** How long the small calls of two ranks take, such as those beside a call that stands still. */
final class CallLatency {
    private static final int CALLS = 200;
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private CallLatency() {}

    /** Median time of a barrier and a small all_reduce on both ranks. */
    static long medianMicros(ParexClient zero, ParexClient one) {
        List<TensorView> tensors = IntStream.range(0, 2)
                .mapToObj(rank -> Tensors.ints(16 << 10, i -> i))
                .toList();
        List<Long> micros = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
            long start = System.nanoTime();
            zero.barrier(ClientOptions.DEFAULT);
            one.barrier(ClientOptions.DEFAULT).await().atMost(LIMIT);
            zero.allReduce(tensors.get(0), tensors.get(0), ReduceOp.MAX, ClientOptions.DEFAULT);
            one.allReduce(tensors.get(1), tensors.get(1), ReduceOp.MAX, ClientOptions.DEFAULT)
                    .await()
                    .atMost(LIMIT);
            // The other one's tensor is free again, too.
            zero.barrier(ClientOptions.DEFAULT);
            one.barrier(ClientOptions.DEFAULT).await().atMost(LIMIT);
            micros.add((System.nanoTime() - start) / 1000);
        }
        return micros.stream().sorted().skip(CALLS / 2).findFirst().orElseThrow();
    }
}
