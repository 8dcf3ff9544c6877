package io.parex.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConnectFailureTest {
    private static final Duration LIMIT = Duration.ofSeconds(2);

    @Test
    void shouldTellRefusalFromSilence() {
        assertFailure(
                true,
                "nothing listens at 10.0.0.3:7610",
                new ConnectException("finishConnect(..) failed: Connection refused: /10.0.0.3:7610"));
        assertFailure(
                false,
                "no answer within 2 s from 10.0.0.3:7610",
                new ConnectTimeoutException("connection timed out after 2000 ms: /10.0.0.3:7610"));
        assertFailure(false, "no answer within 2 s from 10.0.0.3:7610", new ConnectException("Connection timed out"));
    }

    @Test
    void shouldSayThatThereIsNoWay() {
        assertFailure(false, "no route to 10.0.0.3:7610", new NoRouteToHostException());
        assertFailure(
                false,
                "cannot connect to 10.0.0.3:7610: Operation not permitted",
                new IOException("Operation not permitted"));
    }

    private static void assertFailure(boolean refused, String text, Throwable cause) {
        assertEquals(new ConnectFailure(refused, text), ConnectFailure.of("10.0.0.3:7610", LIMIT, cause));
    }
}
