package io.parex.discovery;

import static io.parex.discovery.Resolvers.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.1:80, 10.0.0.1, 80, 10.0.0.1:80",
        "10.0.0.1, 10.0.0.1, 7610, 10.0.0.1:7610",
        "[::1]:81, ::1, 81, [::1]:81",
        "[fd00::2], fd00::2, 7610, [fd00::2]:7610",
        "job-3.job.ns.svc.:82, job-3.job.ns.svc., 82, job-3.job.ns.svc.:82",
        "my_host, my_host, 7610, my_host:7610",
    })
    void shouldReadHostAndPort(String text, String host, int port, String printed) {
        Endpoint endpoint = Endpoint.parse(text, 7610);
        assertEquals(new Endpoint(host, port), endpoint);
        assertEquals(printed, endpoint.toString());
    }

    @Test
    void shouldRefuseWhatIsNone() {
        assertRefused("goes in brackets, such as [fd00::1]:7610", () -> Endpoint.parse("fd00::2", 7610));
        assertRefused("no IPv6 address in brackets", () -> Endpoint.parse("[10.0.0.1]:80", 7610));
        assertRefused("no IPv6 address in brackets", () -> Endpoint.parse("[::1", 7610));
        assertRefused("after the bracket", () -> Endpoint.parse("[::1]80", 7610));
        assertRefused("'' is neither", () -> Endpoint.parse("", 7610));
        assertRefused("'10.0.0.300' is neither", () -> Endpoint.parse("10.0.0.300:80", 7610));
        assertRefused("'a b' is neither", () -> Endpoint.parse("a b:80", 7610));
        assertRefused("'' is not a port", () -> Endpoint.parse("a:", 7610));
        assertRefused("'x' is not a port", () -> Endpoint.parse("a:x", 7610));
        assertRefused("port 0 is not between 1 and 65535", () -> Endpoint.parse("a:0", 7610));
        assertRefused("port 65536 is not", () -> Endpoint.parse("a:65536", 7610));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost", "LOCALHOST.", "a.localhost"})
    void shouldKnowLoopback(String host) {
        assertTrue(new Endpoint(host, 1).isLoopback());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "fd00::1", "localhost.example", "host"})
    void shouldKnowOtherHosts(String host) {
        assertFalse(new Endpoint(host, 1).isLoopback());
    }
}
