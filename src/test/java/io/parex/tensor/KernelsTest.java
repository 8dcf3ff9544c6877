package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelsTest {
    private static final String FULL_JVM = "mixed mode, sharing";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            auto    | mixed mode, sharing                  | vector
            auto    | mixed mode, emulated-client, sharing | scalar
            auto    | interpreted mode, sharing            | scalar
            vector  | mixed mode, emulated-client, sharing | vector
            scalar  | mixed mode, sharing                  | scalar
            nonsuch | mixed mode, sharing                  | vector
            nonsuch | interpreted mode                     | scalar
            """)
    void shouldChooseByPropertyAndJvm(String wanted, String vmMode, String expected) {
        assertTrue(Kernels.select(wanted, vmMode).description().startsWith(expected));
    }

    @Test
    void shouldUseVectorsHere() {
        assertInstanceOf(VectorKernels.class, Kernels.select("auto", FULL_JVM));
    }

    @Test
    void shouldFallBackAndSayWhyWhereTheModuleIsAbsent() throws Exception {
        String output = runWithoutVectorModule();
        List<String> lines = output.lines().toList();
        assertTrue(lines.contains("kernels: scalar"), output);
        assertEquals(
                1,
                lines.stream()
                        .filter(line -> line.contains("jdk.incubator.vector is absent"))
                        .count(),
                output);
    }

    private static String runWithoutVectorModule() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = location(Kernels.class) + File.pathSeparator + location(Printer.class);
        Process process = new ProcessBuilder(java, "-cp", classes, Printer.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), output);
        return output;
    }

    private static String location(Class<?> type) {
        return Path.of(URI.create(
                        type.getProtectionDomain().getCodeSource().getLocation().toString()))
                .toString();
    }

    /** Run in a JVM of its own, without the libraries of the tests. */
    static final class Printer {
        private Printer() {}

        public static void main(String[] args) {
            System.out.println("kernels: " + Reductions.kernels());
        }
    }
}
