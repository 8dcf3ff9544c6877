package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What SmallRye Config 3.16 and Quarkus 3.33 say, and what is made of it; {@link ServeIT} has it said. */
class SettingFailureTest {
    private static final String THREW =
            "java.lang.IllegalArgumentException: SRCFG00039: The config property %s with the"
                    + " config value \"%s\" threw an Exception whilst being converted %s";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
            parex.world.size | four | SRCFG00029: Expected an integer value, got "four"\
                    | parex.world.size (PAREX_WORLD_SIZE) is 'four'; allowed: a whole number, 1 to 1024
            parex.timeout.call | soon | Invalid duration: soon\
                    | parex.timeout.call (PAREX_TIMEOUT_CALL) is 'soon'; allowed: a duration above 0, such
            quarkus.http.port | a "b" c | SRCFG00029: Expected an integer value, got "a "b" c"\
                    | quarkus.http.port (QUARKUS_HTTP_PORT) is 'a "b" c'; allowed: a whole
            quarkus.http.limits.max-body-size | x | java.lang.Some$Exception: value x not in correct format\
                    | quarkus.http.limits.max-body-size is 'x': value x not in correct format
            """)
    void shouldSayWhatIsAllowed(String property, String value, String reason, String expected) {
        assertExplained(expected, THREW.formatted(property, value, reason));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SRCFG00050: parex.wrold.size in SysPropConfigSource does not map to any root\
                    | there is no setting parex.wrold.size; the nearest is parex.world.size (PAREX_WORLD_SIZE)
            SRCFG00014: The config property parex.world.name is required but it could not be found\
                    | parex.world.name (PAREX_WORLD_NAME) is ''; allowed: any text that is not empty
            SRCFG00040: The config property parex.world.size is defined as the empty String ("") which the following\
                    | parex.world.size (PAREX_WORLD_SIZE) is ''; allowed: a whole number, 1 to 1024
            SRCFG00099: Something else | Something else
            """)
    void shouldKnowTheOtherFaults(String said, String expected) {
        assertExplained(expected, said);
    }

    private static void assertExplained(String expected, String said) {
        ParexException explained = SettingFailure.explain(said);
        assertEquals(ErrorKind.ARGUMENT, explained.kind());
        assertTrue(explained.getMessage().startsWith(expected), explained::getMessage);
        assertFalse(explained.getMessage().contains("SRCFG"), explained::getMessage);
    }
}
