package io.parex.client;

import io.parex.tensor.TensorView;

/**
 * One operation of a batch.
 *
 * @param sends whether it sends
 * @param tensor what is sent or filled
 * @param peer destination or source, which may be {@link ParexClient#ANY_SOURCE}
 * @param tag of the message; of a receive it may be {@link ParexClient#ANY_TAG}
 */
public record Transfer(boolean sends, TensorView tensor, int peer, int tag) {

    /** Sends {@code tensor} to {@code destination}. */
    public static Transfer send(TensorView tensor, int destination, int tag) {
        return new Transfer(true, tensor, destination, tag);
    }

    /** Receives into {@code tensor} from {@code source}. */
    public static Transfer recv(TensorView tensor, int source, int tag) {
        return new Transfer(false, tensor, source, tag);
    }
}
