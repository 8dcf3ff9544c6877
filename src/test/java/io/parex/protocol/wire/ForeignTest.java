package io.parex.protocol.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Others who connect to a rank, or answer at its address. */
class ForeignTest {
    @ParameterizedTest
    @CsvSource({
        "'GET / HTTP/1.1\r\nHost: parex\r\n\r\n', HTTP",
        "'POST /v1 HTTP/1.1\r\n', HTTP",
        "'PUT /v1 HTTP/1.1\r\n', HTTP",
        "'PATCH /v1 HTTP/1.1\r\n', HTTP",
        "'HEAD / HTTP/1.0\r\n\r\n', HTTP",
        "'OPTIONS * HTTP/1.1\r\n', HTTP",
        "'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP/2, as gRPC speaks it'",
        "'HTTP/1.1 400 Bad Request\r\n', an HTTP response",
        "'SSH-2.0-OpenSSH_9.6\r\n', SSH",
        "'PAREX\n\u001a___________________', 'Parex, but changed on the way as text would be'"
    })
    void shouldNameOtherProtocols(String sent, String name) {
        assertForeign(sent.getBytes(StandardCharsets.US_ASCII), " (looks like " + name + ")");
    }

    @Test
    void shouldNameTls() {
        assertForeign(Bytes.hex("16030100c8010000c40303aabbccddee"), " (looks like TLS)");
        assertForeign(Bytes.hex("15030100020246"), " (looks like a TLS alert)");
    }

    @Test
    void shouldShowTheFirstBytes() {
        assertEquals(
                "not our protocol (looks like HTTP): first bytes 47 45 54 20 2f 20 48 54 54 50 2f 31 2e 31 0d 0a",
                refusal("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 1000));
        assertEquals("not our protocol: first bytes 00 01 02", refusal(new byte[] {0, 1, 2}, 3));
        assertEquals("not our protocol: first bytes 50 41 52 45 20", refusal(Bytes.hex("5041524520"), 5));
    }

    @Test
    void shouldRefuseBytesOfAnyKind() {
        Random random = new Random(3);
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = new byte[WireLimits.HANDSHAKE_BYTES];
            random.nextBytes(bytes);
            assertTrue(refusal(bytes, 1 + random.nextInt(20)).startsWith("not our protocol"));
        }
    }

    private static void assertForeign(byte[] bytes, String name) {
        for (int size = 1; size <= bytes.length; size++) {
            String refusal = refusal(bytes, size);
            assertTrue(refusal.startsWith("not our protocol" + name + ": first bytes "), refusal);
        }
    }

    private static String refusal(byte[] bytes, int segmentBytes) {
        HandshakeReader reader = new HandshakeReader();
        WireException e = assertThrows(WireException.class, () -> {
            for (int at = 0; at < bytes.length; at += segmentBytes) {
                reader.feed(MemorySegment.ofArray(bytes).asSlice(at, Math.min(segmentBytes, bytes.length - at)));
            }
        });
        assertEquals(WireException.Kind.FOREIGN, e.kind());
        return e.getMessage();
    }
}
