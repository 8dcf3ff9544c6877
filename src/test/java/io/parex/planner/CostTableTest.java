package io.parex.planner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CostTableTest {
    private static final String NETWORK = """
            # measured between two hosts
            network.latency = 2.0E-5
            network.overhead = 4.0E-6

            network.per-byte = 3.2E-10
            network.per-reduced-byte = 8.0E-11
            network.at-once = 0
            """;

    private static CostTable parse(String text) {
        return CostTable.parse(text, "costs.txt");
    }

    private static String text(CostTable table) {
        return table.lines().entrySet().stream()
                .map(line -> line.getKey() + " = " + line.getValue())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void shouldReadOneKindAndKeepTheOthers() {
        CostTable table = parse(NETWORK);
        LinkCosts network = table.of(LinkKind.NETWORK);
        assertEquals(2e-5, network.latency());
        assertEquals(4e-6, network.overhead());
        assertEquals(3.2e-10, network.perByte());
        assertEquals(8e-11, network.perReducedByte());
        assertEquals(0, network.atOnce());
        LinkCosts built = CostTable.standard().of(LinkKind.MEMORY);
        LinkCosts memory = table.of(LinkKind.MEMORY);
        assertEquals(built.latency(), memory.latency());
        assertEquals(built.atOnce(), memory.atOnce());
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadWhatItWrites(LinkKind kind) {
        CostTable measured = CostTable.standard().with(new LinkCosts(kind, 1.25e-5, 1.5e-6, 3e-10, 0, 3, 0));
        CostTable read = parse(text(measured));
        assertEquals(measured.lines(), read.lines());
        assertEquals(measured.of(kind), read.of(kind));
        assertEquals(1.25e-5, read.of(kind).latency());
        assertEquals(3, read.of(kind).atOnce());
    }

    @Test
    void shouldTellTablesAndKindsApart() {
        long standard = CostTable.standard().of(LinkKind.NETWORK).fingerprint();
        assertEquals(
                standard, parse(text(CostTable.standard())).of(LinkKind.NETWORK).fingerprint());
        assertNotEquals(standard, CostTable.standard().of(LinkKind.LOOPBACK).fingerprint());
        for (Map.Entry<String, String> line : CostTable.standard().lines().entrySet()) {
            String changed = text(CostTable.standard())
                    .replace(
                            line.getKey() + " = " + line.getValue(),
                            line.getKey() + " = " + (line.getKey().endsWith("at-once") ? "7" : "1.5E-9"));
            assertNotEquals(standard, parse(changed).of(LinkKind.NETWORK).fingerprint(), line.getKey());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            network.latency = 2e-5          | line 1: network.latency is there twice
            network.speed = 3               | line 1: 'network.speed = 3' is not of the form
            lan.latency = 3                 | where KIND is one of memory, loopback, network, and COST one of latency,
            network.latency                 | line 1: 'network.latency' is not of the form
            network.latencyx = 3            | line 1: 'network.latencyx = 3' is not of the form
            memory.latency = fast           | line 1: memory.latency is 'fast'; allowed: a number of seconds
            memory.latency = -1e-6          | line 1: memory.latency is '-1e-6'; allowed
            memory.latency = NaN            | line 1: memory.latency is 'NaN'; allowed
            memory.latency = 11             | line 1: memory.latency is '11'; allowed
            memory.at-once = 1.5            | line 1: memory.at-once is '1.5'; allowed: a whole number from 0 to 4096
            memory.latency = 1e-6           | memory.overhead is missing
            """)
    void shouldRefuseWhatCannotBeMeant(String line, String said) {
        String twice = said.endsWith("twice") ? line + "\n" + line : line;
        ParexException refused = assertThrows(ParexException.class, () -> parse(twice));
        assertEquals(ErrorKind.ARGUMENT, refused.kind());
        String expected = said.endsWith("twice") ? said.replace("line 1", "line 2") : said;
        assertTrue(refused.getMessage().startsWith("cost table costs.txt"), refused.getMessage());
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    @Test
    void shouldRefuseATableThatSaysNothing() {
        ParexException refused = assertThrows(ParexException.class, () -> parse("# nothing\n\n"));
        assertTrue(refused.getMessage().contains("it says nothing"), refused.getMessage());
    }
}
