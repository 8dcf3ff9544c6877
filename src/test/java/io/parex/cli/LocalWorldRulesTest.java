package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings beside {@code parex run -n 2} and {@code parex demo -n 2}. */
class LocalWorldRulesTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JVM     | parex.world.size        | 3         | parex run makes a world of 2 (-n)
            PROCESS | parex.world.size        | 3         | parex run makes a world of 2 (-n)
            JVM     | parex.ranks-per-process | 1         | with --isolation jvm it is 2
            PROCESS | parex.ranks-per-process | 2         | with --isolation process it is 1
            JVM     | parex.rank              | 1         | parex run starts all ranks
            PROCESS | parex.rank              | 0         | parex run starts all ranks
            JVM     | parex.peers             | a,b       | it is for parex serve
            PROCESS | parex.peers             | a,b       | it is for parex serve
            PROCESS | parex.service           | job       | it is for parex serve
            PROCESS | parex.discovery         | static    | it is for parex serve
            PROCESS | parex.stateful-set      | job       | it is for parex serve
            PROCESS | parex.advertise         | box       | it is for parex serve
            PROCESS | parex.address-family    | ipv6      | it is for parex serve
            PROCESS | parex.fabric.host       | 0.0.0.0   | it is for parex serve
            PROCESS | parex.fabric.port       | 7610      | it is for parex serve
            JVM     | parex.fabric.port       | 0         | it is for parex serve
            PROCESS | quarkus.grpc.server.port| 28655     | the processes of 2 ranks cannot all listen there
            PROCESS | quarkus.management.port | 9001      | the processes of 2 ranks cannot all listen there
            PROCESS | quarkus.http.port       | 8080      | the processes of 2 ranks cannot all listen there
            """)
    void shouldRefuseWhatTheCommandCannotFollow(Isolation isolation, String setting, String value, String reason) {
        String variable = io.parex.service.Setting.variable(setting);
        for (Given given : new Given[] {Given.of(Map.of(setting, value), Map.of()), environment(variable, value)}) {
            ParexException refusal = assertThrows(ParexException.class, () -> check(isolation, 2, given));
            assertEquals(ErrorKind.ARGUMENT, refusal.kind());
            String text = refusal.getMessage();
            assertTrue(text.startsWith(setting + " (" + variable + ") is '" + value + "', but "), text);
            assertTrue(text.contains(reason), text);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JVM     | PAREX_WORLD_SIZE         | 2
            JVM     | PAREX_WORLD_SIZE         |
            JVM     | PAREX_RANKS_PER_PROCESS  | 2
            PROCESS | PAREX_RANKS_PER_PROCESS  | 1
            JVM     | PAREX_RANK               | 0
            PROCESS | PAREX_FABRIC_HOST        | 127.0.0.1
            PROCESS | PAREX_FABRIC_PORT        | 0
            PROCESS | PAREX_ADDRESS_FAMILY     | any
            JVM     | QUARKUS_GRPC_SERVER_PORT | 28655
            PROCESS | QUARKUS_GRPC_SERVER_PORT | 0
            PROCESS | QUARKUS_GRPC_SERVER_HOST | 0.0.0.0
            PROCESS | PAREX_TIMEOUT_CALL       | 1s
            """)
    void shouldAcceptWhatSaysTheSameOrCanBeFollowed(Isolation isolation, String variable, String value) {
        check(isolation, 2, environment(variable, value == null ? "" : value));
    }

    /** Torchrun's, and those of a job of another Parex, such as a trainer that starts a world to try something. */
    @ParameterizedTest
    @CsvSource({"JVM", "PROCESS"})
    void shouldStartWithinAJob(Isolation isolation) {
        check(isolation, 2, Given.of(Map.of(), Map.of("RANK", "3", "WORLD_SIZE", "4", "LOCAL_RANK", "3")));
        JobEnvironment job = new JobEnvironment(4, rank -> "127.0.0.1:9000", 29500, Map.of());
        check(isolation, 2, Given.of(Map.of(), job.of(3)));
    }

    @Test
    void shouldKeepThePortOfASingleProcess() {
        Given given = environment("QUARKUS_GRPC_SERVER_PORT", "28655");
        check(Isolation.PROCESS, 1, given);
        Map<String, String> listeners = ServerSettings.listeners(given);
        assertEquals(
                Map.of(
                        "quarkus.grpc.server.host", "127.0.0.1",
                        "quarkus.management.host", "127.0.0.1",
                        "quarkus.management.port", "0",
                        "quarkus.http.host", "127.0.0.1",
                        "quarkus.http.port", "0"),
                listeners);
    }

    private static Given environment(String variable, String value) {
        return Given.of(Map.of(), Map.of(variable, value));
    }

    private static void check(Isolation isolation, int ranks, Given given) {
        new LocalWorldRules("run", ranks, isolation, given).check();
    }
}
