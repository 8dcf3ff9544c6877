package io.parex.cli;

import io.parex.client.ClientOptions;
import io.parex.client.ClientWork;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that is the trainer of every rank: they add up rank + 1, and it prints what each got. */
final class PodTrainers {
    private static final int COUNT = 300_000;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** As the first argument: they recover before that. */
    static final String RECOVER = "recover";

    private PodTrainers() {}

    /** Endpoints of the ranks, in order. */
    public static void main(String... arguments) {
        boolean recovers = arguments[0].equals(RECOVER);
        String[] endpoints = recovers ? Arrays.copyOfRange(arguments, 1, arguments.length) : arguments;
        List<ParexClient> clients = new ArrayList<>();
        List<ClientWork> works = new ArrayList<>();
        List<TensorView> tensors = new ArrayList<>();
        for (int rank = 0; rank < endpoints.length; rank++) {
            ParexClient client = ParexClient.connect(endpoints[rank], rank, ConnectOptions.DEFAULT)
                    .await()
                    .atMost(PATIENCE);
            TensorView tensor =
                    new TensorView(Arena.global().allocate((long) COUNT * Integer.BYTES), DataType.INT32, COUNT);
            for (int i = 0; i < COUNT; i++) {
                tensor.segment().setAtIndex(ValueLayout.JAVA_INT, i, rank + 1);
            }
            clients.add(client);
            tensors.add(tensor);
        }
        if (recovers) {
            clients.stream()
                    .map(client -> client.recover(PATIENCE).subscribeAsCompletionStage())
                    .toList()
                    .forEach(CompletableFuture::join);
        }
        for (int rank = 0; rank < endpoints.length; rank++) {
            TensorView tensor = tensors.get(rank);
            works.add(clients.get(rank).allReduce(tensor, tensor, ReduceOp.SUM, ClientOptions.DEFAULT));
        }
        works.forEach(work -> work.await().atMost(PATIENCE));
        tensors.forEach(tensor -> System.out.println(tensor.segment().getAtIndex(ValueLayout.JAVA_INT, COUNT - 1)));
        clients.forEach(ParexClient::close);
    }
}
