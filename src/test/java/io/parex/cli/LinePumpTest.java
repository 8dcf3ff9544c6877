package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LinePumpTest {
    private final ByteArrayOutputStream copied = new ByteArrayOutputStream();
    private final PrintStream to = new PrintStream(copied, false, StandardCharsets.UTF_8);

    @Test
    void shouldBeginEveryLineWithThePrefix() throws InterruptedException {
        assertCopied("[3] one\n[3] \n[3] zwölf\n", "one\n\nzwölf\n");
    }

    @Test
    void shouldEndALastLineThatDoesNotEnd() throws InterruptedException {
        assertCopied("[3] one\n[3] two\n", "one\ntwo");
    }

    @Test
    void shouldPrintNothingOfNothing() throws InterruptedException {
        assertCopied("", "");
    }

    @Test
    void shouldLeaveOutWhatIsNotToBeShown() throws InterruptedException {
        List<String> seen = new ArrayList<>();
        ByteArrayInputStream from = new ByteArrayInputStream("one\n\ntwo\nthree".getBytes(StandardCharsets.UTF_8));
        LinePump.start("[3] ", from, to, line -> {
                    seen.add(line);
                    return !line.equals("two");
                })
                .join();
        assertEquals("[3] one\n[3] \n[3] three\n", copied.toString(StandardCharsets.UTF_8));
        assertEquals(List.of("one", "", "two", "three"), seen);
    }

    @Test
    void shouldCutALineThatWouldFillTheMemory() throws InterruptedException {
        start("[3] ", "x".repeat(200_000)).join();
        String text = copied.toString(StandardCharsets.UTF_8);
        assertEquals(4, text.lines().count());
        assertEquals(200_000, text.chars().filter(each -> each == 'x').count());
    }

    @Test
    void shouldNotMixTheLinesOfSeveral() throws InterruptedException {
        List<Thread> pumps = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
            pumps.add(start("[" + rank + "] ", (rank + "\n").repeat(10_000)));
        }
        for (Thread pump : pumps) {
            pump.join();
        }
        List<String> kinds = copied.toString(StandardCharsets.UTF_8)
                .lines()
                .distinct()
                .sorted()
                .toList();
        assertEquals(List.of("[0] 0", "[1] 1", "[2] 2", "[3] 3"), kinds);
        assertEquals(
                List.of(10_000L),
                copied
                        .toString(StandardCharsets.UTF_8)
                        .lines()
                        .collect(Collectors.groupingBy(line -> line, Collectors.counting()))
                        .values()
                        .stream()
                        .distinct()
                        .toList());
    }

    private void assertCopied(String expected, String written) throws InterruptedException {
        start("[3] ", written).join();
        assertEquals(expected, copied.toString(StandardCharsets.UTF_8));
    }

    private Thread start(String prefix, String written) {
        return LinePump.start(prefix, new ByteArrayInputStream(written.getBytes(StandardCharsets.UTF_8)), to);
    }
}
