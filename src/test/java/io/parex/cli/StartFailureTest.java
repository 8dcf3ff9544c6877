package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.quarkus.runtime.configuration.ConfigurationException;
import java.io.IOException;
import java.net.BindException;
import org.junit.jupiter.api.Test;

/** What Quarkus throws at start, and what the person at the terminal gets to read. */
class StartFailureTest {
    private static final IOException TAKEN = new IOException("bind(..) failed with error(-98): Address already in use");

    @Test
    void shouldPassOnAnErrorOfParex() {
        ParexException known = ParexException.argument("no such algorithm");
        assertSame(known, StartFailure.explain(new RuntimeException("Failed to start quarkus", known), false));
    }

    @Test
    void shouldNameTheSettingOfATakenPort() {
        assertTaken("quarkus.http.port", new RuntimeException("Unable to start HTTP server", TAKEN), false);
        Exception management =
                new IllegalStateException("Unable to start the management interface on 0.0.0.0:9001", TAKEN);
        assertTaken("quarkus.management.port", new RuntimeException("Unable to start HTTP server", management), false);
        assertTaken("quarkus.grpc.server.port", new IllegalStateException("no gRPC", TAKEN), true);
        assertTaken("quarkus.http.port", new RuntimeException(new BindException("Address already in use")), false);
    }

    @Test
    void shouldReportAWrongSettingAsAnArgument() {
        RuntimeException explained =
                StartFailure.explain(new RuntimeException(new ConfigurationException("bad")), false);
        assertEquals(
                ErrorKind.ARGUMENT,
                assertInstanceOf(ParexException.class, explained).kind());
        assertEquals("bad", explained.getMessage());
    }

    @Test
    void shouldKeepTheTraceOfWhatNobodyForesaw() {
        Exception bug = new RuntimeException(new NullPointerException());
        assertSame(
                bug,
                assertInstanceOf(IllegalStateException.class, StartFailure.explain(bug, false))
                        .getCause());
    }

    private static void assertTaken(String setting, Exception thrown, boolean grpc) {
        RuntimeException explained = StartFailure.explain(thrown, grpc);
        assertEquals(
                ErrorKind.UNAVAILABLE,
                assertInstanceOf(ParexException.class, explained).kind());
        String message = explained.getMessage();
        assertEquals(
                "cannot listen on port N (" + setting + "): Address already in use; nothing was started",
                message.replaceFirst("port \\S+", "port N"));
    }
}
