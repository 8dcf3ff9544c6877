package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Settings beside {@code parex bench -n 2}. */
class BenchSettingsTest {

    @Test
    void shouldRefuseWhatItsOptionsSay() {
        BenchSettings.check(2, environment("PAREX_WORLD_SIZE", "2"));
        assertRefused(
                "parex.world.size (PAREX_WORLD_SIZE) is '3', but parex bench makes a world of 2 (-n)",
                () -> BenchSettings.check(2, environment("PAREX_WORLD_SIZE", "3")));
        assertRefused(
                "parex.algorithm (PAREX_ALGORITHM) is 'all_reduce:ring', but parex bench takes --algorithm",
                () -> BenchSettings.check(2, environment("PAREX_ALGORITHM", "all_reduce:ring")));
    }

    @Test
    void shouldFollowTheKernelsOfTheEnvironment() {
        String setting = "parex.kernels";
        String before = System.getProperty(setting);
        try {
            BenchSettings.chooseKernels(environment("PAREX_KERNELS", "scalar"));
            assertEquals("scalar", System.getProperty(setting));
            assertRefused(
                    "parex.kernels (PAREX_KERNELS) is 'fast'; allowed: auto, vector or scalar",
                    () -> BenchSettings.chooseKernels(environment("PAREX_KERNELS", "fast")));
        } finally {
            if (before == null) {
                System.clearProperty(setting);
            } else {
                System.setProperty(setting, before);
            }
        }
    }

    private static Given environment(String variable, String value) {
        return Given.of(Map.of(), Map.of(variable, value));
    }

    private static void assertRefused(String text, Executable use) {
        ParexException refusal = assertThrows(ParexException.class, use);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().startsWith(text), refusal::getMessage);
    }
}
