package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class WorldSizesTest {
    private final WorldSizes.Converter converter = new WorldSizes.Converter();

    @Test
    void shouldTakeSizesRangesAndLists() {
        assertEquals(List.of(4), converter.convert("4").values());
        assertEquals(List.of(1, 2, 3), converter.convert("1..3").values());
        assertEquals(List.of(2, 4, 7, 8, 9), converter.convert("7..9, 2,4,8").values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0..3", "3..2", "34", "1..34", "-1", "1-3", "1...3", "2,", "x", "99999"})
    void shouldRefuseWhatIsNone(String text) {
        TypeConversionException refusal = assertThrows(TypeConversionException.class, () -> converter.convert(text));
        assertTrue(refusal.getMessage().startsWith("'"), refusal.getMessage());
    }
}
