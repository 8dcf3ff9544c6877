package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The main job, as the README starts it. */
@Timeout(300)
class DemoIT {
    @TempDir
    private Path folder;

    @Test
    void shouldTrainThroughTheRanksAndHold() throws Exception {
        try (ParexProcess demo = new ParexProcess(folder, Map.of(), "demo")) {
            assertEquals(ExitCodes.GOOD, demo.exit(), () -> demo.out() + demo.err());
            assertTrue(demo.out().contains("final held-out accuracy"), demo::out);
            assertTrue(demo.out().contains("metrics   http://127.0.0.1:"), demo::out);
            assertTrue(demo.out().endsWith("demo held\n"), demo::out);
        }
    }

    @Test
    void shouldRefuseWorkersThatCannotShareAStep() throws Exception {
        try (ParexProcess demo = new ParexProcess(folder, Map.of(), "demo", "-n", "5")) {
            assertEquals(ExitCodes.USAGE, demo.exit(), demo::err);
            assertEquals("", demo.out());
        }
    }
}
