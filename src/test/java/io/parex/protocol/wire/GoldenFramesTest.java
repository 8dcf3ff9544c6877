package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Standing;
import io.parex.protocol.Whereabouts;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every frame byte by byte, as PROTOCOL describes it; the bytes come from another program. */
class GoldenFramesTest {
    private static final long GROUP = 0x1122334455667788L;
    private static final Descriptor ALL_REDUCE =
            new Descriptor(Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 1000, "", "ring", "layer1");
    private static final Descriptor BARRIER =
            new Descriptor(Primitive.BARRIER, null, null, -1, 0, "", "dissemination", "");
    private static final Failure FAILURE = new Failure(ErrorKind.MISMATCH, 3, "größe");

    private record Golden(FrameType type, Object frame, byte[] encoded, String hex) {
        @Override
        public String toString() {
            return type.name();
        }
    }

    private static final List<Golden> CONTROL = List.of(
            control(new Frame.Open(GROUP, 2, 1, 7, ALL_REDUCE, 4000, 4000), """
                    800000004b0000001100000000000000050000000000000006000000b361133b
                    88776655443322110200000000000000010000000700000000000000a00f0000
                    00000000a00f000000000000080901ffffffffe8030000000000000000040072
                    696e6706006c6179657231"""),
            control(new Frame.Opened(GROUP, 2), """
                    810000001000000011000000000000000500000000000000060000009910470d
                    88776655443322110200000000000000"""),
            control(new Frame.Grant(GROUP, 2, 1, BARRIER, 4000), """
                    820000003e000000110000000000000005000000000000000600000093906824
                    8877665544332211020000000000000001000000a00f000000000000060000ff
                    ffffff000000000000000000000d0064697373656d696e6174696f6e0000"""),
            control(new Frame.Envelope(GROUP, 9, 10, 11, DataType.FLOAT64, 3, 24), """
                    830000002d000000110000000000000005000000000000000600000097f96a52
                    8877665544332211090000000a000000000000000b000000000000000a030000
                    00000000001800000000000000"""),
            control(new Frame.Accept(11, 24), """
                    84000000100000001100000000000000050000000000000006000000b19f1709
                    0b000000000000001800000000000000"""),
            control(new Frame.Refuse(11, FAILURE), """
                    85000000160000001100000000000000050000000000000006000000b8ed9501
                    0b00000000000000020300000007006772c3b6c39f65"""),
            control(new Frame.Released(11, Long.MAX_VALUE), """
                    87000000100000001100000000000000050000000000000006000000ab3c1029
                    0b00000000000000ffffffffffffff7f"""),
            control(new Frame.Withdraw(11, FAILURE), """
                    8800000016000000110000000000000005000000000000000600000059abcc7f
                    0b00000000000000020300000007006772c3b6c39f65"""),
            control(new Frame.Credit(4 << 20, 65_536), """
                    890000001000000011000000000000000500000000000000060000006e5d7c1f
                    00004000000000000000010000000000"""),
            control(new Frame.Fail(GROUP, 2, FAILURE), """
                    8a0000001e0000001100000000000000050000000000000006000000cb422c4b
                    88776655443322110200000000000000020300000007006772c3b6c39f65"""),
            control(new Frame.Inquire(GROUP, 2, ALL_REDUCE), """
                    010000002f00000011000000000000000500000000000000060000008078ddfa
                    88776655443322110200000000000000080901ffffffffe80300000000000000
                    00040072696e6706006c6179657231"""),
            control(
                    new Frame.Answer(GROUP, 2, new Whereabouts(2, "barrier()", true, 1_500_000_000L), List.of(3, 7)),
                    """
                    02000000360000001100000000000000050000000000000006000000b80f7599
                    88776655443322110200000000000000020000000000000001002f6859000000
                    00090062617272696572282902000300000007000000"""),
            control(new Frame.Leave(GROUP, 3), """
                    8b0000001000000011000000000000000500000000000000060000002b9f6488
                    88776655443322110300000000000000"""),
            control(new Frame.Rejoin(GROUP), """
                    8e000000080000001100000000000000050000000000000006000000e0c4247a
                    8877665544332211"""),
            control(new Frame.Rejoined(GROUP, 3), """
                    8f0000001000000011000000000000000500000000000000060000002679cc0c
                    88776655443322110300000000000000"""),
            control(new Frame.Lives(List.of(new Life(3, 1, -2, "host:7610"))), """
                    900000002100000011000000000000000500000000000000060000004ee53f35
                    0100030000000100000000000000feffffffffffffff0900686f73743a373631
                    30"""),
            control(new Frame.Recover(GROUP, List.of(new Standing(2, 3, -2, 5, 9, Standing.Stage.READY, 7, 6))), """
                    920000003f0000001100000000000000050000000000000006000000575c7c84
                    88776655443322110100020000000300000000000000feffffffffffffff0500
                    00000000000009000000000000000207000000000000000600000000000000"""),
            control(new Frame.Lost(new Life(3, 1, -2, "host:7610"), "silent"), """
                    910000002700000011000000000000000500000000000000060000005e0da5c8
                    030000000100000000000000feffffffffffffff0900686f73743a3736313006
                    0073696c656e74"""),
            link(new LinkFrame.Close("shut down"), """
                    8d0000000b000000110000000000000005000000000000000600000014d9485a
                    09007368757420646f776e"""),
            link(new LinkFrame.Resume(16, 4096), """
                    8c0000000c000000000000000000000005000000000000000600000069e31580
                    100000000000000000100000"""),
            link(new LinkFrame.Ping(0xfedcba9876543210L), """
                    03000000080000000000000000000000050000000000000006000000b2581626
                    1032547698badcfe"""),
            link(new LinkFrame.Pong(0xfedcba9876543210L), """
                    04000000080000000000000000000000050000000000000006000000867a71bd
                    1032547698badcfe"""),
            link(new LinkFrame.Ack(), """
                    05000000000000000000000000000000050000000000000006000000ed1ba1e6"""));

    private static final Header PLAIN = Header.data(Header.ACK_NOW, 32, 20, 17, 5, 6);
    private static final Header CHECKED = Header.data(Header.PAYLOAD_CRC, 0, 20, 17, 5, 6);
    private static final Header VOID = Header.data(Header.VOID, 0, 0, 17, 5, 6);

    private static final List<Golden> DATA =
            List.of(data(PLAIN, 65_568, """
                    860220002400000011000000000000000500000000000000060000008ccd3689
                    0b000000000000000000010000000000000102030405060708090a0b0c0d0e0f
                    10111213"""), data(CHECKED, 65_536, """
                    86010000280000001100000000000000050000000000000006000000b1ab57a6
                    0b000000000000000000010000000000000102030405060708090a0b0c0d0e0f
                    10111213e6eb79cc"""), data(VOID, 65_536, """
                    860400001000000011000000000000000500000000000000060000001ef27ca2
                    0b000000000000000000010000000000"""));

    private static Stream<Golden> all() {
        return Stream.concat(CONTROL.stream(), DATA.stream());
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldEncodeToTheseBytes(Golden golden) {
        assertEquals(golden.hex(), Bytes.hex(golden.encoded()));
    }

    @ParameterizedTest
    @MethodSource("all")
    void shouldDecodeFromTheseBytes(Golden golden) {
        RecordedFrames recorded = new RecordedFrames();
        new FrameReader(recorded).feed(MemorySegment.ofArray(Bytes.hex(golden.hex())));
        assertEquals(List.of(golden.frame()), recorded.contents());
        Header header = recorded.events().getFirst().header();
        assertEquals(golden.type(), header.type());
        assertEquals(golden.type().isSequenced() ? 17 : 0, header.number());
        assertEquals(5, header.ackFrame());
        assertEquals(6, header.ackBytes());
    }

    @Test
    void shouldShowEveryType() {
        Set<FrameType> missing = EnumSet.allOf(FrameType.class);
        all().map(Golden::type).forEach(missing::remove);
        assertEquals(Set.of(), missing);
    }

    private static Golden control(Frame frame, String hex) {
        return new Golden(FrameType.of(frame), frame, Bytes.of(frame, new Stamp(0, 17, 5, 6)), stripped(hex));
    }

    private static Golden link(LinkFrame frame, String hex) {
        FrameType type = FrameType.of(frame);
        Stamp stamp = new Stamp(0, type.isSequenced() ? 17 : 0, 5, 6);
        return new Golden(type, frame, Bytes.of(frame, stamp), stripped(hex));
    }

    private static Golden data(Header header, long expectedOffset, String hex) {
        byte[] payload = new byte[header.payloadBytes()];
        for (int i = 0; i < payload.length; i++) {
            payload[i] = (byte) i;
        }
        Object content = header.has(Header.VOID)
                ? new RecordedFrames.Gone(11, expectedOffset)
                : new RecordedFrames.Payload(11, expectedOffset, Bytes.hex(payload));
        return new Golden(FrameType.DATA, content, Bytes.of(header, 11, 65_536, payload), stripped(hex));
    }

    private static String stripped(String hex) {
        return hex.replaceAll("\\s", "");
    }
}
