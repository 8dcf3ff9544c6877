package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacesTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 127.0.0.1:9000",
        "::, 127.0.0.1:9000",
        "::1, [::1]:9000",
        "[fd00::2], [fd00::2]:9000",
        "10.0.0.3, 10.0.0.3:9000",
        "localhost, localhost:9000"
    })
    void shouldSayWhereAListenerIsReached(String host, String address) {
        assertEquals(address, Places.address(host, 9000));
    }
}
