package io.parex.demo;

import io.parex.client.ClientOptions;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** A worker's exchange through the gRPC session with its rank. */
public final class ClientExchange implements Exchange {
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ParexClient client;
    /** Between the worker's arrays and the client; the worker's thread only. Kept, because its pages are then there. */
    private MemorySegment staging = MemorySegment.NULL;

    private ClientExchange(ParexClient client) {
        this.client = client;
    }

    /**
     * Connects the worker of {@code rank} with that rank, which lives behind {@code endpoint}; waits until it is there.
     */
    public static ClientExchange connect(String endpoint, int rank) {
        ConnectOptions options = ConnectOptions.DEFAULT.withClientName("demo-worker-" + rank);
        return new ClientExchange(
                ParexClient.connect(endpoint, rank, options).await().indefinitely());
    }

    @Override
    public void broadcast(float[] parameters, int root) {
        TensorView tensor = stage(parameters);
        client.broadcast(tensor, root, ClientOptions.DEFAULT).await().indefinitely();
        unstage(tensor, parameters);
    }

    @Override
    public void allReduceAverage(float[] gradients) {
        TensorView tensor = stage(gradients);
        client.allReduce(tensor, tensor, ReduceOp.AVG, ClientOptions.DEFAULT)
                .await()
                .indefinitely();
        unstage(tensor, gradients);
    }

    @Override
    public void barrier() {
        client.barrier(ClientOptions.DEFAULT).await().indefinitely();
    }

    /** Leaves: calls in flight fail. Does not wait for their end. */
    @Override
    public void close() {
        client.close("").subscribe().with(ended -> {}, failure -> {});
    }

    private TensorView stage(float[] values) {
        long bytes = (long) values.length * Float.BYTES;
        if (staging.byteSize() < bytes) {
            // Freed by the collector: a call that was given up may still refer to it.
            staging = Arena.ofAuto().allocate(bytes, Long.BYTES);
        }
        MemorySegment memory = staging.asSlice(0, bytes);
        MemorySegment.copy(values, 0, memory, FLOAT, 0, values.length);
        return TensorView.of(memory, DataType.FLOAT32);
    }

    private static void unstage(TensorView tensor, float[] values) {
        MemorySegment.copy(tensor.segment(), FLOAT, 0, values, 0, values.length);
    }
}
