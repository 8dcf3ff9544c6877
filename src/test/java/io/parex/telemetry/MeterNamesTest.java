package io.parex.telemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of meters, and the documentation that repeats it. */
class MeterNamesTest {
    private static final Path PAGE = Path.of("src", "site", "markdown", "OPERATIONS.md");
    private static final String BEGIN = "<!-- meters: begin, rendered by MeterNames.markdown() -->\n";
    private static final String END = "<!-- meters: end -->\n";

    @Test
    void shouldStandInTheDocumentationAsRendered() throws IOException {
        String page = Files.readString(PAGE);
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        assertEquals(MeterNames.markdown(), page.substring(begin, page.indexOf(END)));
    }

    @Test
    void shouldRefuseLabelsThatTheTableDoesNotHave() {
        assertThrows(IllegalArgumentException.class, () -> MeterNames.OPERATION_BYTES.tags("barrier"));
    }

    @Test
    void shouldPutEverySizeInOneClass() {
        assertEquals("0", label(0));
        assertEquals("1KiB", label(1));
        assertEquals("1KiB", label(1024));
        assertEquals("64KiB", label(1025));
        assertEquals("256MiB", label(256L << 20));
        assertEquals("larger", label((256L << 20) + 1));
        assertEquals("larger", label(Long.MAX_VALUE));
    }

    private static String label(long bytes) {
        return SizeClasses.label(SizeClasses.of(bytes));
    }
}
