package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SettingsTest {
    private static ParexConfig config(Map<String, String> properties, Map<String, String> environment) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(ParexConfig.class)
                .withSources(new PropertiesConfigSource(properties, "properties", 100))
                .withSources(new EnvConfigSource(environment, 300))
                .build()
                .getConfigMapping(ParexConfig.class);
    }

    private static ParexConfig config(Map<String, String> properties) {
        return config(properties, Map.of());
    }

    private static void assertRefused(String text, Executable use) {
        ParexException refusal = assertThrows(ParexException.class, use);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains(text), refusal::getMessage);
    }

    @Test
    void shouldHaveDefaults() {
        ParexConfig config = config(Map.of());
        Settings.check(config);
        assertEquals("parex", config.world().name());
        assertEquals(1, config.world().size());
        assertEquals(Duration.ofMinutes(10), Settings.world(config).callTimeout());
        assertEquals(Duration.ofSeconds(10), Settings.world(config).warnAfter());
        EdgeLimits limits = Settings.edge(config);
        assertEquals(4 << 20, limits.windowBytes());
        assertEquals(Duration.ofMinutes(2), limits.stall());
        assertTrue(limits.stagingBytes() <= 8L << 30, limits::toString);
    }

    @Test
    void shouldReadTheEnvironment() {
        ParexConfig config = config(
                Map.of("parex.world.size", "2"),
                Map.of(
                        "PAREX_WORLD_SIZE", "4",
                        "PAREX_STAGING_MAX_BYTES", "512M",
                        "PAREX_TIMEOUT_STALLED_READER", "30s",
                        "PAREX_RANKS_PER_PROCESS", "4",
                        // What the launcher reads, and what a job finds its rank by.
                        "PAREX_JAVA_OPTS", "-Xmx1g",
                        "PAREX_ENDPOINT", "localhost:9000"));
        Settings.check(config);
        assertEquals(4, config.world().size());
        assertEquals(512 << 20, Settings.edge(config).stagingBytes());
        assertEquals(Duration.ofSeconds(30), Settings.edge(config).stall());
    }

    @Test
    void shouldRefuseUnknownKeys() {
        ConfigValidationException refusal =
                assertThrows(ConfigValidationException.class, () -> config(Map.of("parex.wrold.size", "2")));
        assertTrue(refusal.getMessage().contains("parex.wrold.size"), refusal::getMessage);
    }

    @Test
    void shouldRefuseRanksInSeveralProcesses() {
        assertRefused(
                "parex.ranks-per-process=2 with parex.world.size=4",
                () -> Settings.check(config(Map.of("parex.world.size", "4", "parex.ranks-per-process", "2"))));
        assertRefused(
                "parex.rank=1 asks for this process to be one of several",
                () -> Settings.check(config(Map.of("parex.world.size", "4", "parex.rank", "1"))));
    }

    @Test
    void shouldNameTheSettingThatIsWrong() {
        assertRefused(
                "parex.staging.max-bytes must hold two windows",
                () -> Settings.edge(config(Map.of("parex.staging.max-bytes", "1M"))));
        assertRefused(
                "parex.staging.window-bytes must be a multiple of 16 and at least 2 MiB, not 1048576",
                () -> Settings.edge(config(Map.of("parex.staging.window-bytes", "1M"))));
        assertRefused(
                "parex.session.max-operations must be at least 1",
                () -> Settings.edge(config(Map.of("parex.session.max-operations", "0"))));
    }
}
