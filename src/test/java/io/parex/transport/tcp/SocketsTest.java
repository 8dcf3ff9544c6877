package io.parex.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SocketsTest {
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1:7610", "::1, [::1]:7610", "fd00:0:0:0:0:0:0:2, [fd00::2]:7610", "::, [::]:7610"})
    void shouldWriteAddressesAsTheSettingsDo(String literal, String text) {
        assertEquals(text, Sockets.text(new InetSocketAddress(InetAddress.ofLiteral(literal), 7610)));
    }

    @ParameterizedTest
    @CsvSource({
        "recvAddress(..) failed: Connection reset by peer, Connection reset by peer",
        "bind(..) failed with error(-98): Address already in use, Address already in use",
        "Connection reset, Connection reset"
    })
    void shouldLeaveOutTheNameOfTheCall(String said, String reason) {
        assertEquals(reason, Sockets.reason(new IOException(said)));
    }
}
