package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code parex serve} says of settings that are wrong. */
@Timeout(300)
class ServeIT {
    /** The JVM's own, of every start. */
    private static final String JVM_WARNING = "WARNING: Using incubator modules";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            PAREX_WORLD_SIZE | four | parex.world.size (PAREX_WORLD_SIZE) is 'four'; allowed: a whole number, 1 to 1024
            PAREX_TIMEOUT_CALL | 0s | parex.timeout.call (PAREX_TIMEOUT_CALL) is '0s'; allowed: a duration above 0
            PAREX_STAGING_MAX_BYTES | 1M | parex.staging.max-bytes (PAREX_STAGING_MAX_BYTES) is '1M'; allowed: a size
            PAREX_ADVERTISE  | box  | parex.advertise (PAREX_ADVERTISE) is box: that asks for this process to be one of
            PAREX_WRLD_SIZE  | 4    | there is no setting PAREX_WRLD_SIZE; the nearest is parex.world.size
            PAREX_JAVA_OPTS  | -Dparex.word.size=4 | there is no setting parex.word.size; the nearest is parex.world
            PAREX_JAVA_OPTS  | -Dparex.peers=a,b -Dparex.service=c | parex.peers (PAREX_PEERS) and parex
            PAREX_ALGORITHM  | ring | parex.algorithm (PAREX_ALGORITHM): algorithm override 'ring'
            QUARKUS_GRPC_SERVER_PORT | 70000 | quarkus.grpc.server.port (QUARKUS_GRPC_SERVER_PORT) is '70000'; allowed
            QUARKUS_MANAGEMENT_PORT  | 70000 | quarkus.management.port (QUARKUS_MANAGEMENT_PORT) is '70000'; allowed
            QUARKUS_HTTP_PORT        | 70000 | quarkus.http.port (QUARKUS_HTTP_PORT) is '70000'; allowed: a whole number
            """)
    void shouldNameTheSettingInOneLine(String variable, String value, String text) throws Exception {
        try (ParexProcess serve = serve(Map.of(variable, value))) {
            assertEquals(ExitCodes.USAGE, serve.exit(), serve::err);
            assertEquals("", serve.out());
            assertEquals(1, said(serve).size(), serve::err);
            assertTrue(said(serve).getFirst().startsWith("parex serve: " + text), serve::err);
        }
    }

    @Test
    void shouldSayWhichRankIsReady() throws Exception {
        try (ParexProcess serve = serve(Map.of())) {
            serve.awaitReady();
            assertTrue(serve.err().contains("rank 0 of world parex is ready"), serve::err);
        }
    }

    @Test
    void shouldNotSayThatItIsReadyWhereAPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                ParexProcess serve = serve(Map.of("QUARKUS_MANAGEMENT_PORT", Integer.toString(taken.getLocalPort())))) {
            assertEquals(ExitCodes.UNREACHABLE, serve.exit(), serve::err);
            assertFalse(serve.err().contains("is ready"), serve::err);
            assertTrue(serve.err().contains("(quarkus.management.port)"), serve::err);
        }
    }

    @Test
    void shouldNameTheSettingWhereThePortForOtherRanksIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0);
                ParexProcess serve = serve(Map.of(
                        "PAREX_WORLD_SIZE", "2",
                        "PAREX_RANK", "0",
                        "PAREX_PEERS", "127.0.0.1,127.0.0.1:1",
                        "PAREX_FABRIC_PORT", Integer.toString(taken.getLocalPort())))) {
            assertEquals(ExitCodes.UNREACHABLE, serve.exit(), serve::err);
            assertTrue(serve.err().contains("(parex.fabric.host, parex.fabric.port); nothing was started"), serve::err);
        }
    }

    private static List<String> said(ParexProcess serve) {
        return serve.err().lines().filter(line -> !line.startsWith(JVM_WARNING)).toList();
    }

    private ParexProcess serve(Map<String, String> environment) throws IOException {
        Map<String, String> all = new HashMap<>();
        for (String listener : new String[] {"GRPC_SERVER", "MANAGEMENT", "HTTP"}) {
            all.put("QUARKUS_" + listener + "_PORT", "0");
        }
        all.putAll(environment);
        return new ParexProcess(folder, all, "serve");
    }
}
