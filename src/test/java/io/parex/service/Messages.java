package io.parex.service;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.parex.tensor.TensorView;
import io.parex.v1.AllReduceCall;
import io.parex.v1.AllReduceRequest;
import io.parex.v1.CallHeader;
import io.parex.v1.Chunk;
import io.parex.v1.ClientMessage;
import io.parex.v1.DataType;
import io.parex.v1.Open;
import io.parex.v1.Operation;
import io.parex.v1.RecvCall;
import io.parex.v1.ReduceOp;
import io.parex.v1.SendCall;
import io.parex.v1.Submit;
import io.parex.v1.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Messages that the tests write by hand. */
final class Messages {
    private Messages() {}

    static CallHeader.Builder rank(int rank) {
        return CallHeader.newBuilder().setRank(rank);
    }

    static Tensor ints(long count) {
        return Tensor.newBuilder()
                .setDtype(DataType.DATA_TYPE_INT32)
                .setCount(count)
                .build();
    }

    static SendCall send(CallHeader.Builder header, long count, int destination) {
        return SendCall.newBuilder()
                .setHeader(header)
                .setTensor(ints(count))
                .setDestination(destination)
                .build();
    }

    static RecvCall recv(CallHeader.Builder header, long count, int source) {
        return RecvCall.newBuilder()
                .setHeader(header)
                .setTensor(ints(count))
                .setSource(source)
                .build();
    }

    static AllReduceCall sum(CallHeader.Builder header, long count) {
        return AllReduceCall.newBuilder()
                .setHeader(header)
                .setTensor(ints(count))
                .setOp(ReduceOp.REDUCE_OP_SUM)
                .build();
    }

    static AllReduceRequest request(AllReduceCall call) {
        return AllReduceRequest.newBuilder().setCall(call).build();
    }

    /** The tensor's bytes in chunks of at most {@code size}. */
    static List<ByteString> chunks(TensorView tensor, int size) {
        List<ByteString> chunks = new ArrayList<>();
        for (long from = 0; from < tensor.byteSize(); from += size) {
            long length = Math.min(size, tensor.byteSize() - from);
            chunks.add(UnsafeByteOperations.unsafeWrap(
                    tensor.segment().asSlice(from, length).asByteBuffer()));
        }
        return chunks;
    }

    static ByteString bytes(int size) {
        return ByteString.copyFrom(new byte[size]);
    }

    static ClientMessage open(int rank, String name) {
        return ClientMessage.newBuilder()
                .setOpen(Open.newBuilder().setRank(rank).setClientName(name))
                .build();
    }

    static ClientMessage submit(Operation.Builder... operations) {
        Submit.Builder submit = Submit.newBuilder();
        for (Operation.Builder operation : operations) {
            submit.addOperations(operation);
        }
        return ClientMessage.newBuilder().setSubmit(submit).build();
    }

    /** From a client that knows of the failures of collectives up to {@code refusalSeen}. */
    static ClientMessage submit(long refusalSeen, Operation.Builder... operations) {
        ClientMessage.Builder message = submit(operations).toBuilder();
        message.getSubmitBuilder().setRefusalSeen(refusalSeen);
        return message.build();
    }

    static Operation.Builder operation(long id) {
        return Operation.newBuilder().setOperationId(id);
    }

    static ClientMessage chunk(long id, ByteString data) {
        return ClientMessage.newBuilder()
                .setChunk(Chunk.newBuilder().setOperationId(id).setData(data))
                .build();
    }
}
