package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.world.WorldOptions;
import io.smallrye.config.ConfigMappings;
import io.smallrye.config.ConfigValidationException;
import io.smallrye.config.EnvConfigSource;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static WorldOptions world(ParexConfig config) {
        return Settings.world(config, Settings.costs(config, LinkKind.MEMORY));
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
        assertEquals(Duration.ofMinutes(10), world(config).callTimeout());
        assertEquals(Duration.ofSeconds(10), world(config).warnAfter());
        EdgeLimits limits = Settings.edge(config);
        assertEquals(4 << 20, limits.windowBytes());
        assertEquals(Duration.ofMinutes(2), limits.stall());
        assertTrue(limits.stagingBytes() <= 8L << 30, limits::toString);
    }

    @Test
    void shouldReadTheTableOfCosts(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("costs");
        Files.writeString(file, """
                network.latency = 1E-3
                network.overhead = 0
                network.per-byte = 0
                network.per-reduced-byte = 0
                network.at-once = 0
                """);
        ParexConfig given = config(Map.of("parex.cost-table", file.toString()));
        assertEquals(1e-3, Settings.costs(given, LinkKind.NETWORK).latency());
        assertEquals(
                CostTable.standard().of(LinkKind.MEMORY).latency(),
                Settings.costs(given, LinkKind.MEMORY).latency());
        assertEquals(CostTable.standard().of(LinkKind.MEMORY), Settings.costs(config(Map.of()), LinkKind.MEMORY));
        Files.writeString(file, "network.latency = slow");
        assertRefused(
                "parex.cost-table (PAREX_COST_TABLE): cost table " + file + ", line 1: network.latency is 'slow'",
                () -> Settings.costs(given, LinkKind.NETWORK));
        Files.delete(file);
        assertRefused(
                "is '" + file + "', which cannot be read: there is no such file",
                () -> Settings.costs(given, LinkKind.NETWORK));
    }

    @Test
    void shouldReduceInTheOrderOfRanksIfItIsSaid() {
        LinkCosts costs = CostTable.standard().of(LinkKind.MEMORY);
        assertFalse(Settings.world(config(Map.of()), costs).choice().deterministic());
        ParexConfig given = config(Map.of("parex.deterministic", "true"));
        assertTrue(Settings.world(given, costs).choice().deterministic());
        ParexConfig wrong = config(Map.of("parex.deterministic", "yes"));
        assertRefused("parex.deterministic (PAREX_DETERMINISTIC) is 'yes'", () -> Settings.world(wrong, costs));
    }

    @Test
    void shouldKnowTheKindOfLinks() {
        assertEquals(LinkKind.MEMORY, Spread.links(config(Map.of())));
        assertEquals(LinkKind.LOOPBACK, Spread.links(config(Map.of("parex.discovery", "launcher"))));
        assertEquals(LinkKind.NETWORK, Spread.links(config(Map.of("parex.peers", "a:1,b:2"))));
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
                "parex.ranks-per-process (PAREX_RANKS_PER_PROCESS) is 2 where parex.world.size (PAREX_WORLD_SIZE) is 4",
                () -> Settings.check(config(Map.of("parex.world.size", "4", "parex.ranks-per-process", "2"))));
        assertRefused(
                "parex.rank (PAREX_RANK) is 1: that asks for this process to be one of several",
                () -> Settings.check(config(Map.of("parex.world.size", "4", "parex.rank", "1"))));
    }

    /** They would be of no effect. */
    @ParameterizedTest
    @CsvSource({
        "parex.stateful-set, job",
        "parex.advertise, 10.0.0.1",
        "parex.fabric.host, 127.0.0.1",
        "parex.fabric.port, 7611",
        "parex.address-family, ipv4",
    })
    void shouldRefuseWhatIsForRanksInSeveralProcessesInOne(String setting, String value) {
        assertRefused(
                Setting.of(setting).orElseThrow() + " is " + value + ": that asks for this process to be one of",
                () -> Settings.check(config(Map.of("parex.world.size", "4", setting, value))));
        Settings.check(config(Map.of("parex.world.size", "4", "parex.peers", "a,b,c,d", setting, value)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            parex.world.size             | 0     | '0'; allowed: a whole number, 1 to 1024
            parex.world.size             | 1025  | '1025'; allowed: a whole number, 1 to 1024
            parex.staging.max-bytes      | 1M    | '1048576'; allowed: a size such as 2G, at least two of
            parex.staging.window-bytes   | 1M    | '1048576'; allowed: a size such as 4M, at least 2M
            parex.scratch.max-bytes      | 4095K | '4193280'; allowed: a size such as 256M, at least 1M for each rank
            parex.session.max-operations | 0     | '0'; allowed: a whole number, at least 1
            parex.kernels                | fast  | 'fast'; allowed: auto, vector or scalar
            parex.timeout.call           | 0s    | 'PT0S'; allowed: a duration above 0
            parex.timeout.warn           | 0s    | 'PT0S'; allowed: a duration above 0
            parex.timeout.stalled-reader | 0s    | 'PT0S'; allowed: a duration above 0
            """)
    void shouldNameTheSettingItsValueAndWhatIsAllowed(String setting, String value, String rest) {
        assertRefused(Setting.of(setting).orElseThrow() + " is " + rest, () -> {
            ParexConfig config = config(
                    Map.of("parex.world.size", "4"),
                    Map.of(Setting.of(setting).orElseThrow().variable(), value));
            Settings.check(config);
            Settings.edge(config);
        });
    }

    @Test
    void shouldNeedNoMoreScratchThanTheDefaultInTheLargestWorld() {
        Settings.check(config(Map.of("parex.world.size", "1024")));
        Settings.check(config(Map.of("parex.world.size", "4", "parex.scratch.max-bytes", "4M")));
    }

    @Test
    void shouldHaveATextForEverySetting() {
        List<String> mapped =
                ConfigMappings.getProperties(ConfigMappings.ConfigClass.configClass(ParexConfig.class))
                        .keySet()
                        .stream()
                        .sorted()
                        .toList();
        List<String> listed = Arrays.stream(Setting.values())
                .map(Setting::property)
                .filter(name -> name.startsWith("parex."))
                .sorted()
                .toList();
        assertEquals(mapped, listed);
    }

    @ParameterizedTest
    @CsvSource({
        "PAREX_WRLD_SIZE, parex.world.size (PAREX_WORLD_SIZE)",
        "PAREX_TIMEOUT_STALLEDREADER, parex.timeout.stalled-reader (PAREX_TIMEOUT_STALLED_READER)",
        "PAREX_MAX_OPERATIONS, parex.session.max-operations (PAREX_SESSION_MAX_OPERATIONS)",
    })
    void shouldRefuseUnknownVariablesAndSuggestTheNearest(String name, String nearest) {
        assertRefused(
                "there is no setting " + name + "; the nearest is " + nearest,
                () -> ForeignVariables.refuse(List.of("PATH", "PAREX_WORLD_SIZE", name)));
    }

    @Test
    void shouldLeaveAloneWhatIsNotMeantAsASetting() {
        ForeignVariables.refuse(List.of(
                "PAREX_JAVA_OPTS",
                "PAREX_ENDPOINT",
                "PAREX_RANK",
                "PAREX_JOB",
                "MY_PAREX_THING",
                // Beside a Kubernetes service named parex, and one named parex-metrics.
                "PAREX_SERVICE_HOST",
                "PAREX_SERVICE_PORT",
                "PAREX_SERVICE_PORT_GRPC",
                "PAREX_PORT",
                "PAREX_PORT_9000_TCP",
                "PAREX_PORT_9000_TCP_ADDR",
                "PAREX_METRICS_SERVICE_HOST",
                "PAREX_METRICS_PORT_9001_TCP_PROTO"));
    }
}
