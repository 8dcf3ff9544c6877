package io.parex.world;

import io.parex.tensor.TensorView;

/**
 * One operation of a batch.
 *
 * @param sends whether it sends
 * @param tensor what is sent or filled
 * @param peer destination or source, group rank
 * @param tag of the message
 */
public record PointToPoint(boolean sends, TensorView tensor, int peer, int tag) {

    /** Sends {@code tensor} to {@code destination}. */
    public static PointToPoint send(TensorView tensor, int destination, int tag) {
        return new PointToPoint(true, tensor, destination, tag);
    }

    /** Receives into {@code tensor} from {@code source}, which may be any. */
    public static PointToPoint recv(TensorView tensor, int source, int tag) {
        return new PointToPoint(false, tensor, source, tag);
    }

    Call call(CallOptions options) {
        return sends
                ? Call.send(TensorStream.input(tensor), peer, tag, options)
                : Call.recv(TensorStream.output(tensor), peer, tag, options);
    }
}
