package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The table of types and operations in the documentation. */
class ReductionTableTest {
    private static final Path PAGE = Path.of("src", "site", "markdown", "ALGORITHMS.md");
    private static final String BEGIN = "<!-- types: begin, rendered by ReductionTable.markdown() -->\n";
    private static final String END = "<!-- types: end -->\n";
    private static final String WRITE = "parex.docs.write";

    @Test
    void shouldStandInTheDocumentationAsRendered() throws IOException {
        String page = Files.readString(PAGE);
        assertTrue(page.contains(BEGIN) && page.contains(END), "the page has lost its markers");
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        int end = page.indexOf(END);
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(PAGE, page.substring(0, begin) + ReductionTable.markdown() + page.substring(end));
            return;
        }
        assertEquals(
                ReductionTable.markdown(),
                page.substring(begin, end),
                () -> PAGE + " is not what the code computes: write it anew by ./mvnw test -Dtest="
                        + ReductionTableTest.class.getSimpleName() + " -D" + WRITE + "=true");
    }
}
