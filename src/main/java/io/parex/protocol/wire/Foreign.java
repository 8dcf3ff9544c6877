package io.parex.protocol.wire;

import io.parex.protocol.wire.WireException.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** Tells what else may have connected, or answers at the address of a rank, by its first bytes. */
final class Foreign {
    /** How many bytes a text shows, and as many as the longest signature needs. */
    static final int SHOWN_BYTES = 16;

    private record Signature(String name, byte[] start) {
        static Signature text(String name, String start) {
            return new Signature(name, start.getBytes(StandardCharsets.US_ASCII));
        }

        static Signature record(String name, int type) {
            return new Signature(name, new byte[] {(byte) type, 3});
        }

        /** Whether the bytes begin with as much of the signature as there are bytes. */
        boolean fits(byte[] bytes) {
            int compared = Math.min(bytes.length, start.length);
            return Arrays.equals(bytes, 0, compared, start, 0, compared);
        }
    }

    private static final List<Signature> SIGNATURES = List.of(
            Signature.text("HTTP", "GET "),
            Signature.text("HTTP", "HEAD "),
            Signature.text("HTTP", "POST "),
            Signature.text("HTTP", "PUT "),
            Signature.text("HTTP", "PATCH "),
            Signature.text("HTTP", "DELETE "),
            Signature.text("HTTP", "OPTIONS "),
            Signature.text("HTTP", "CONNECT "),
            Signature.text("HTTP", "TRACE "),
            Signature.text("HTTP/2, as gRPC speaks it", "PRI * HTTP/2"),
            Signature.text("an HTTP response", "HTTP/"),
            Signature.text("SSH", "SSH-"),
            Signature.record("TLS", 0x16),
            Signature.record("a TLS alert", 0x15),
            Signature.text("Parex, but changed on the way as text would be", "PAREX"));

    private Foreign() {}

    /**
     * Says what the first bytes of a connection are, which are no handshake; null if one more byte may tell.
     *
     * @param bytes at most {@link #SHOWN_BYTES}
     */
    static WireException recognise(byte[] bytes) {
        String like = "";
        for (Signature signature : SIGNATURES) {
            if (signature.fits(bytes)) {
                if (bytes.length < signature.start.length) {
                    return null;
                }
                like = " (looks like " + signature.name + ")";
            }
        }
        return new WireException(
                Kind.FOREIGN,
                "not our protocol" + like + ": first bytes "
                        + HexFormat.ofDelimiter(" ").formatHex(bytes));
    }
}
