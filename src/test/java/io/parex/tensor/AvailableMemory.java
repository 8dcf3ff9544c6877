package io.parex.tensor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Memory that the machine has left, for tests that need much of it. */
public final class AvailableMemory {
    /** For what runs beside the test's tensors. */
    private static final long SPARE_BYTES = 1L << 30;

    private AvailableMemory() {}

    /** Skips the test where there is less than {@code bytes} and a little more. */
    public static void require(long bytes) {
        long available = bytes();
        Assumptions.assumeTrue(
                available - SPARE_BYTES >= bytes,
                "tensors of " + bytes + " bytes are needed, and " + available + " bytes of memory are left");
    }

    private static long bytes() {
        try {
            return Files.readAllLines(Path.of("/proc/meminfo")).stream()
                    .filter(line -> line.startsWith("MemAvailable:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
