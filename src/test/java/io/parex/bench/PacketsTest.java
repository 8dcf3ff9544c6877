package io.parex.bench;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ErrorKind;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes through the pipes between launcher and members. */
class PacketsTest {
    private static final CallShape SHAPE = new CallShape(DataType.BFLOAT16, ReduceOp.AVG, 2, true);

    static Stream<Order> orders() {
        return Stream.of(
                new Order.Begin(3, 4, SHAPE, 1L << 40, 1L << 41, 60_000_000_000L),
                new Order.Join(List.of(1, 0xFFFF, 7610)),
                new Order.Open(new Series(Primitive.ALL_REDUCE, "ring", CallerKind.LOOP), 1L << 40),
                new Order.Open(new Series(Primitive.BARRIER, null, CallerKind.THREAD), 0),
                new Order.Prepare(),
                new Order.Start(7),
                new Order.EndsWithin(1_000_000),
                new Order.Await(Long.MAX_VALUE),
                new Order.CountWrong(),
                new Order.Run(Pace.MAX_CALLS, 5),
                new Order.NameAlgorithm(),
                new Order.Leave());
    }

    static Stream<Reply> replies() {
        return Stream.of(
                new Reply.Done(),
                new Reply.Number(-1),
                new Reply.Name("recursive_doubling"),
                new Reply.Opened(new Traits(2, 2, true, false, false)),
                new Reply.Opened(new Traits(5, 1, false, true, true)),
                new Reply.Failed(ErrorKind.PEER_FAILED, "zwölf " + "x".repeat(100_000)));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void shouldBringOrders(Order order) throws IOException {
        ByteArrayOutputStream pipe = new ByteArrayOutputStream();
        OrderCodec.write(pipe, order);
        OrderCodec.write(pipe, new Order.Leave());
        ByteArrayInputStream in = new ByteArrayInputStream(pipe.toByteArray());
        assertEquals(order, OrderCodec.read(in));
        assertEquals(new Order.Leave(), OrderCodec.read(in));
        assertNull(OrderCodec.read(in));
    }

    @ParameterizedTest
    @MethodSource("replies")
    void shouldBringReplies(Reply reply) throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(written(reply));
        assertEquals(reply, ReplyCodec.read(in));
        assertNull(ReplyCodec.read(in));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, Pace.MAX_CALLS + 1})
    void shouldBringTheTimesOfTheLongestBatch(int count) throws IOException {
        long[] nanos = new long[count];
        Arrays.setAll(nanos, i -> i * 1_000_003L - 17);
        Reply reply = ReplyCodec.read(new ByteArrayInputStream(written(new Reply.Times(nanos))));
        assertArrayEquals(nanos, assertInstanceOf(Reply.Times.class, reply).nanos());
    }

    /** Such as what a library prints on a member's standard output. */
    @Test
    void shouldRefuseWhatIsNoPacket() throws IOException {
        assertRefused("WARNING: something\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertRefused(new byte[] {0, 0, 0, 0});
        assertRefused(new byte[] {0, 0, 0, 1, 99});
        byte[] whole = written(new Reply.Number(1));
        for (int length = 1; length < whole.length; length++) {
            assertRefused(Arrays.copyOf(whole, length));
        }
    }

    private static void assertRefused(byte[] bytes) {
        assertThrows(IOException.class, () -> ReplyCodec.read(new ByteArrayInputStream(bytes)));
    }

    private static byte[] written(Reply reply) throws IOException {
        ByteArrayOutputStream pipe = new ByteArrayOutputStream();
        ReplyCodec.write(pipe, reply);
        return pipe.toByteArray();
    }
}
