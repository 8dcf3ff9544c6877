package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ErrorKind;
import io.parex.ParexException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ports, looked at before anything listens. */
class ServerSettingsTest {
    private static final String SETTING = "quarkus.management.port";

    private final String before = System.getProperty(SETTING);

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(SETTING);
        } else {
            System.setProperty(SETTING, before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "9000", "59999", "64999", "65499", "65529", "65535", "00080", ""})
    void shouldAcceptPorts(String value) {
        System.setProperty(SETTING, value);
        ServerSettings.checkPorts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"65536", "65540", "65600", "66000", "70000", "100000", "-1", "http", "80.5"})
    void shouldRefuseWhatIsNoPort(String value) {
        System.setProperty(SETTING, value);
        ParexException refusal = assertThrows(ParexException.class, ServerSettings::checkPorts);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
    }

    @Test
    void shouldNameTheSetting() {
        System.setProperty(SETTING, "70000");
        ParexException refusal = assertThrows(ParexException.class, ServerSettings::checkPorts);
        assertEquals(
                "quarkus.management.port (QUARKUS_MANAGEMENT_PORT) is '70000'; allowed: a whole number, 0"
                        + " (any port that is free) to 65535",
                refusal.getMessage());
    }
}
