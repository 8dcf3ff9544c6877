package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    private static final String NETWORK = "--latency 50us --bandwidth 25Gbit ";

    private static Invocation plan(String arguments) {
        return Invocation.of(("plan " + arguments).strip().split(" +"));
    }

    private static double number(String line, String key) {
        return Double.parseDouble(line.replaceAll(".*\"" + key + "\":([-0-9.]+).*", "$1"));
    }

    @Test
    void shouldListAllAlgorithmsBestFirst() {
        Invocation plan = plan(NETWORK + "--ranks 16 --bytes 1MiB --json");
        assertEquals(ExitCodes.GOOD, plan.exit(), plan.err());
        List<String> lines = plan.out().lines().toList();
        assertEquals(7, lines.size());
        for (String line : lines) {
            assertTrue(line.startsWith("{\"schema\":1,\"primitive\":\"all_reduce\",\"algorithm\":\""), line);
            assertTrue(
                    line.contains("\"ranks\":16,\"ranks_per_node\":1,\"bytes\":1048576,\"dtype\":\"float32\""), line);
            assertTrue(line.endsWith("\"by\":\"simulation\"}"), line);
        }
        for (int next = 1; next < lines.size(); next++) {
            assertTrue(number(lines.get(next - 1), "us") <= number(lines.get(next), "us"), plan.out());
        }
        String ring = lines.stream()
                .filter(line -> line.contains("\"ring\""))
                .findAny()
                .orElseThrow();
        double latencies = 30 * 50;
        double wire = 2 * 15 / 16.0 * 1048576 / 3125;
        assertTrue(number(ring, "us") > latencies + 0.9 * wire, ring);
    }

    @Test
    void shouldPriceByFormulaWhatIsTooLarge() {
        Invocation plan = plan(NETWORK + "--ranks 4096 --bytes 1GiB --max-steps 300000");
        assertEquals(ExitCodes.GOOD, plan.exit(), plan.err());
        assertTrue(
                Pattern.compile("(?m)^ring .* formula: more steps than")
                        .matcher(plan.out())
                        .find(),
                plan.out());
        assertTrue(
                Pattern.compile("(?m)^tree .* simulation$").matcher(plan.out()).find(), plan.out());
    }

    @Test
    void shouldPriceTheCardThatRanksShare() {
        double apart = number(
                plan(NETWORK + "--ranks 16 --bytes 64MiB --json")
                        .out()
                        .lines()
                        .filter(line -> line.contains("recursive_doubling"))
                        .findAny()
                        .orElseThrow(),
                "us");
        double together = number(
                plan(NETWORK + "--ranks 16 --ranks-per-node 4 --bytes 64MiB --json")
                        .out()
                        .lines()
                        .filter(line -> line.contains("recursive_doubling"))
                        .findAny()
                        .orElseThrow(),
                "us");
        assertTrue(together > 1.5 * apart, together + " " + apart);
    }

    /** Halves travel as float32 while they are summed. */
    @Test
    void shouldPriceTheWidthOfPartialResults() {
        String two = "--ranks 16 --bytes 64MiB --json ";
        double single = number(
                plan(NETWORK + two)
                        .out()
                        .lines()
                        .filter(line -> line.contains("\"ring\""))
                        .findAny()
                        .orElseThrow(),
                "us");
        double half = number(
                plan(NETWORK + two + "--dtype float16")
                        .out()
                        .lines()
                        .filter(line -> line.contains("\"ring\""))
                        .findAny()
                        .orElseThrow(),
                "us");
        assertEquals(1.5, half / single, 0.05);
    }

    @Test
    void shouldPlanEveryPrimitive() {
        Invocation plan = plan(NETWORK + "--ranks 5 --bytes 100 --primitive all --json");
        assertEquals(ExitCodes.GOOD, plan.exit(), plan.err());
        assertEquals(30, plan.out().lines().count(), plan.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            --ranks 0 --bytes 1K --latency 1us --bandwidth 1Gbit      | --ranks must be 1 to 65536, not 0
            --ranks 4 --latency 1us --bandwidth 1Gbit                 | Missing required option: '--bytes=SIZE'
            --ranks 4 --bytes 1K --latency 5 --bandwidth 1Gbit        | '5' is not a time such as 50us, 0.5ms or 1s
            --ranks 4 --bytes 1K --latency 1us --bandwidth 25         | '25' is not a rate such as 25Gbit or 3GB
            --ranks 4 --bytes 1K --latency 1us --bandwidth 0Gbit      | '0Gbit' is not a rate such as 25Gbit or 3GB
            --ranks 4 --bytes many --latency 1us --bandwidth 1Gbit    | 'many' is not a size
            --ranks 4 --bytes 1 --latency 1us --bandwidth 1Gbit --ranks-per-node 0 | --ranks-per-node must be at least 1
            --ranks 4 --bytes 1 --latency 1us --bandwidth 1Gbit --primitive send | no primitive 'send' to plan; known:
            --ranks 4 --bytes 1 --latency 1us --bandwidth 1Gbit --op band | --op band of float32 is not computed
            """)
    void shouldRefuseWrongUsage(String arguments, String message) {
        Invocation plan = plan(arguments);
        assertTrue(plan.err().contains(message), plan.err());
        assertEquals("", plan.out());
        assertEquals(ExitCodes.USAGE, plan.exit(), plan.err());
    }
}
