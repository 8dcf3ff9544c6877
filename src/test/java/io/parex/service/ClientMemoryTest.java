package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.client.ClientWork;
import io.parex.client.Completion;
import io.parex.client.ConnectOptions;
import io.parex.client.ParexClient;
import io.parex.client.Transfer;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.v1.CallHeader;
import io.parex.v1.ClientMessage;
import io.parex.v1.Credit;
import io.smallrye.mutiny.Uni;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory that the Java client cannot use is the fault of one operation, never the end of the session. */
class ClientMemoryTest extends TwoClients {
    private static final int LARGE_COUNT = 4 << 20;

    @AfterEach
    void shouldStillBeUsable() {
        Uni<Completion> last = zero.barrier(CALL);
        one.barrier(CALL).await().atMost(LIMIT);
        last.await().atMost(LIMIT);
        awaitIdle();
        closeClients();
        server.close();
    }

    private static void assertFails(ErrorKind kind, String text, Uni<?> uni) {
        ParexException failure =
                assertThrows(ParexException.class, () -> uni.await().atMost(LIMIT));
        assertEquals(kind, failure.kind(), failure::getMessage);
        assertTrue(failure.getMessage().contains(text), failure::getMessage);
    }

    private void assertRefused(String text, Uni<?> uni) {
        assertFails(ErrorKind.ARGUMENT, text, uni);
        assertFails(ErrorKind.ARGUMENT, "; nothing was started", uni);
        assertEquals(0, server.edge().inFlight().count());
    }

    private static TensorView ints(Arena arena, long count) {
        return TensorView.of(arena.allocate(4 * count), DataType.INT32);
    }

    @Test
    void shouldRefuseMemoryThatOtherThreadsCannotUse() {
        try (Arena own = Arena.ofConfined()) {
            assertRefusedToSend("memory must be accessible from any thread", ints(own, 1));
            assertRefusedToFill("memory must be accessible from any thread", ints(own, 1));
        }
        Arena ended = Arena.ofShared();
        TensorView closed = ints(ended, 1);
        ended.close();
        assertRefusedToSend("the memory has been closed with its arena", closed);
        assertRefusedToFill("the memory has been closed with its arena", closed);
    }

    @Test
    void shouldRefuseReadOnlyMemoryToFill() {
        TensorView memory = Tensors.ints(1, i -> i);
        assertRefusedToFill(
                "the memory to fill is read-only",
                TensorView.of(memory.segment().asReadOnly(), DataType.INT32));
    }

    private void assertRefusedToSend(String text, TensorView bad) {
        TensorView good = Tensors.ints(1, i -> i);
        Transfer recv = Transfer.recv(good, 1, 0);
        assertRefused(text, zero.send(bad, 1, CALL));
        assertRefused(text, zero.isend(bad, 1, CALL));
        assertRefused(text, zero.sendRecv(Transfer.send(bad, 1, 0), recv, CALL));
        assertRefused(text, zero.broadcast(bad, 0, CALL));
        assertRefused(text, zero.allReduce(bad, good, ReduceOp.SUM, CALL));
        for (ClientWork each : zero.batch(List.of(recv, Transfer.send(bad, 1, 0)), CALL)) {
            assertRefused("transfer 1 of the batch: " + text, each);
        }
    }

    private void assertRefusedToFill(String text, TensorView bad) {
        TensorView good = Tensors.ints(1, i -> i);
        Transfer send = Transfer.send(good, 1, 0);
        assertRefused(text, zero.recv(bad, 1, CALL));
        assertRefused(text, zero.irecv(bad, 1, CALL));
        assertRefused(text, zero.sendRecv(send, Transfer.recv(bad, 1, 0), CALL));
        assertRefused(text, zero.broadcast(bad, 1, CALL));
        assertRefused(text, zero.allReduce(good, bad, ReduceOp.SUM, CALL));
        for (ClientWork each : zero.batch(List.of(send, Transfer.recv(bad, 1, 0)), CALL)) {
            assertRefused("transfer 1 of the batch: " + text, each);
        }
    }

    @Test
    void shouldRefuseWhatIsMissing() {
        TensorView good = Tensors.ints(1, i -> i);
        Transfer send = Transfer.send(good, 1, 0);
        assertRefused("the tensor to send is missing (null)", zero.send(null, 1, CALL));
        assertRefused("the tensor to fill is missing (null)", zero.recv(null, 1, CALL));
        assertRefused("the call's options object is missing (null)", zero.send(good, 1, null));
        assertRefused("the call's options object is missing (null)", zero.recv(good, 1, null));
        assertRefused("the call's options object is missing (null)", zero.barrier(null));
        assertRefused("the tensor to send is missing (null)", zero.broadcast((TensorView) null, 0, CALL));
        assertRefused("the tensor to fill is missing (null)", zero.allReduce(good, null, ReduceOp.SUM, CALL));
        assertRefused("the reduction is missing (null)", zero.allReduce(good, good, null, CALL));
        assertRefused("the send is missing (null)", zero.sendRecv(null, send, CALL));
        for (ClientWork each : zero.batch(Arrays.asList(send, null), CALL)) {
            assertRefused("transfer 1 of the batch: the transfer is missing (null)", each);
        }
        for (ClientWork each : zero.batch(List.of(send), null)) {
            assertRefused("the call's options object is missing (null)", each);
        }
        assertEquals(
                ErrorKind.ARGUMENT,
                assertThrows(ParexException.class, () -> zero.batch(null, CALL)).kind());
        assertEquals(
                ErrorKind.ARGUMENT,
                assertThrows(ParexException.class, () -> CALL.withName(null)).kind());
        assertFails(
                ErrorKind.ARGUMENT,
                "the target is missing (null)",
                ParexClient.connect(null, 0, ConnectOptions.DEFAULT));
        assertFails(
                ErrorKind.ARGUMENT,
                "the options object is missing (null)",
                ParexClient.connect(server.endpoint(), 0, null));
    }

    @Test
    void shouldRefuseInputAndOutputThatOverlap() {
        TensorView memory = Tensors.ints(4, i -> i);
        assertRefused(
                "input and output overlap without being the same memory",
                zero.allReduce(memory.slice(0, 3), memory.slice(1, 3), ReduceOp.SUM, CALL));
    }

    @Test
    void shouldUseArraysOfEveryKind() {
        TensorView floats = TensorView.of(MemorySegment.ofArray(new float[] {1, 2, 3}), DataType.FLOAT32);
        TensorView bytes = TensorView.of(MemorySegment.ofArray(new byte[16]).asSlice(4), DataType.FLOAT32);
        Uni<Completion> recv = one.recv(bytes, 0, CALL);
        zero.send(floats, 1, CALL).await().atMost(LIMIT);
        recv.await().atMost(LIMIT);
        Tensors.assertSame(floats, bytes);
        Uni<Completion> sum = one.allReduce(bytes, bytes, ReduceOp.SUM, CALL);
        zero.allReduce(floats, floats, ReduceOp.SUM, CALL).await().atMost(LIMIT);
        sum.await().atMost(LIMIT);
        Tensors.assertSame(Tensors.floats(3, i -> 2 * (i + 1)), floats);
        Tensors.assertSame(floats, bytes);
    }

    /** The receiver takes 4 bytes first, so that the message cannot be through when its memory is closed. */
    @Test
    void shouldFailASendWhoseMemoryIsClosed() {
        SessionDriver receiver = SessionDriver.open(server, 1);
        receiver.send(Messages.submit(Messages.operation(1)
                .setOutputCreditBytes(4)
                .setRecv(Messages.recv(CallHeader.newBuilder(), LARGE_COUNT, 0))));
        Arena arena = Arena.ofShared();
        Uni<Completion> send = zero.send(ints(arena, LARGE_COUNT), 1, CALL);
        assertTrue(receiver.next().hasChunk());
        arena.close();
        receiver.send(ClientMessage.newBuilder()
                .setCredit(Credit.newBuilder().setOperationId(1).setLimitBytes(Long.MAX_VALUE))
                .build());
        assertFails(ErrorKind.ARGUMENT, "the memory of the input was closed", send);
        receiver.assertFails(
                1, io.parex.v1.ErrorKind.ERROR_KIND_CANCELLED, "the memory of the input was closed before");
    }

    @Test
    void shouldFailABroadcastWhoseMemoryIsClosedOnAllMembers() {
        Arena arena = Arena.ofShared();
        Uni<Completion> root = zero.broadcast(ints(arena, LARGE_COUNT), 0, CALL);
        arena.close();
        Uni<Completion> other = one.broadcast(Tensors.empty(DataType.INT32, LARGE_COUNT), 0, CALL);
        assertFails(ErrorKind.ARGUMENT, "the memory of the input was closed", root);
        assertFails(ErrorKind.CANCELLED, "the memory of the input was closed", other);
    }

    @Test
    void shouldFailOperationsWhoseOutputIsClosed() {
        Arena arena = Arena.ofShared();
        TensorView sent = Tensors.ints(LARGE_COUNT, i -> i);
        TensorView open = Tensors.empty(DataType.INT32, LARGE_COUNT);
        List<Uni<Completion>> fail = new ArrayList<>();
        fail.add(one.recv(ints(arena, LARGE_COUNT), 0, CALL));
        fail.add(one.recv(ints(arena, LARGE_COUNT), 0, CALL.withTag(1)));
        Uni<Completion> good = one.recv(open, 0, CALL.withTag(2));
        arena.close();
        for (int tag = 0; tag < 2; tag++) {
            // It may have been delivered whole before the rank hears of the end.
            zero.send(sent, 1, CALL.withTag(tag));
        }
        zero.send(sent, 1, CALL.withTag(2)).await().atMost(LIMIT);
        good.await().atMost(LIMIT);
        Tensors.assertSame(sent, open);
        fail.forEach(each -> assertFails(ErrorKind.ARGUMENT, "the memory of the output was closed", each));
        Awaitility.await()
                .atMost(10, TimeUnit.SECONDS)
                .until(() -> server.edge().inFlight().count() == 0);
    }
}
