package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class ByteSizeConverterTest {
    private final ByteSizeConverter converter = new ByteSizeConverter();

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "8, 8",
        "8B, 8",
        "1K, 1024",
        "64k, 65536",
        "1KiB, 1024",
        "64M, 67108864",
        "64MiB, 67108864",
        "2 GiB, 2147483648",
        "1G, 1073741824",
        "1.5MiB, 1572864",
        "0.5K, 512"
    })
    void shouldReadBinaryUnits(String text, long bytes) {
        assertEquals(bytes, converter.convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "K", "-8", "8X", "1KB", "1 M iB", "1e6", "0.3K", "99999999999999999G", "8,5M"})
    void shouldRefuseAnythingElse(String text) {
        assertThrows(TypeConversionException.class, () -> converter.convert(text));
    }
}
