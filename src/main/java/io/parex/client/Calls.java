package io.parex.client;

import io.parex.ParexException;
import io.parex.tensor.TensorView;
import io.parex.v1.CallHeader;
import io.parex.v1.DataType;
import io.parex.v1.Operation;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecvCall;
import io.parex.v1.SendCall;
import io.parex.v1.SendRecvCall;
import io.parex.v1.Tensor;
import java.time.Duration;

/** The messages of calls. The enums share their numbers with those of the library. */
final class Calls {
    private Calls() {}

    static Operation.Builder send(TensorView tensor, int destination, int tag, ClientOptions options, Epoch epoch) {
        return Operation.newBuilder()
                .setSend(SendCall.newBuilder()
                        .setHeader(header(options, epoch))
                        .setTensor(tensor(tensor))
                        .setDestination(destination)
                        .setTag(tag));
    }

    static Operation.Builder recv(TensorView tensor, int source, int tag, ClientOptions options, Epoch epoch) {
        RecvCall.Builder call =
                RecvCall.newBuilder().setHeader(header(options, epoch)).setTensor(tensor(tensor));
        if (source != ParexClient.ANY_SOURCE) {
            call.setSource(source);
        }
        if (tag != ParexClient.ANY_TAG) {
            call.setTag(tag);
        }
        return Operation.newBuilder().setRecv(call);
    }

    static Operation.Builder sendRecv(Transfer send, Transfer recv, ClientOptions options, Epoch epoch) {
        SendRecvCall.Builder call = SendRecvCall.newBuilder()
                .setHeader(header(options, epoch))
                .setSend(tensor(send.tensor()))
                .setDestination(send.peer())
                .setSendTag(send.tag())
                .setRecv(tensor(recv.tensor()));
        if (recv.peer() != ParexClient.ANY_SOURCE) {
            call.setSource(recv.peer());
        }
        if (recv.tag() != ParexClient.ANY_TAG) {
            call.setRecvTag(recv.tag());
        }
        return Operation.newBuilder().setSendRecv(call);
    }

    static RecoverRequest recover(int rank, String group, Duration timeout) {
        if (!timeout.isPositive()) {
            throw ParexException.argument("the timeout must be positive, not " + timeout);
        }
        return RecoverRequest.newBuilder()
                .setRank(rank)
                .setGroup(group)
                .setTimeout(duration(timeout))
                .build();
    }

    private static Tensor tensor(TensorView view) {
        return tensor(view.type(), view.count());
    }

    static Tensor tensor(io.parex.tensor.DataType type, long count) {
        return Tensor.newBuilder()
                .setDtype(DataType.forNumber(type.code()))
                .setCount(count)
                .build();
    }

    static CallHeader header(ClientOptions options, Epoch epoch) {
        CallHeader.Builder header =
                CallHeader.newBuilder().setName(options.name()).setDeterministic(options.deterministic());
        epoch.stamp(header);
        if (options.algorithm() != null) {
            header.setAlgorithm(options.algorithm());
        }
        if (options.timeout() != null) {
            header.setTimeout(duration(options.timeout()));
        }
        return header.build();
    }

    private static com.google.protobuf.Duration.Builder duration(Duration timeout) {
        return com.google.protobuf.Duration.newBuilder()
                .setSeconds(timeout.getSeconds())
                .setNanos(timeout.getNano());
    }
}
