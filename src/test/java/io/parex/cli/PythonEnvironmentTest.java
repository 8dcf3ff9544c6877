package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PythonEnvironmentTest {
    private static final int CORES = 4;
    private static final PythonEnvironment BUILT = new PythonEnvironment(Optional.of(Path.of("/parex/python")), CORES);

    @Test
    void shouldPutThePackageBeforeTheUsersOwn() {
        assertEquals(
                Map.of("PYTHONPATH", "/parex/python", "PYTHONUNBUFFERED", "1"), BUILT.additions(CORES - 1, Map.of()));
        assertEquals(
                "/parex/python:/mine:/yours",
                BUILT.additions(1, Map.of("PYTHONPATH", "/mine:/yours")).get("PYTHONPATH"));
        assertEquals(
                "/parex/python", BUILT.additions(1, Map.of("PYTHONPATH", "")).get("PYTHONPATH"));
    }

    @Test
    void shouldNotTouchThePathWithoutAPackage() {
        assertEquals(
                Map.of("PYTHONUNBUFFERED", "1"),
                new PythonEnvironment(Optional.empty(), CORES).additions(1, Map.of("PYTHONPATH", "/mine")));
    }

    @Test
    void shouldLimitThreadsWhereProcessesShareCores() {
        assertEquals("1", BUILT.additions(CORES, Map.of()).get("OMP_NUM_THREADS"));
    }

    @Test
    void shouldKeepWhatTheUserHasSet() {
        assertEquals(
                Map.of("PYTHONPATH", "/parex/python"),
                BUILT.additions(CORES, Map.of("PYTHONUNBUFFERED", "", "OMP_NUM_THREADS", "2")));
    }
}
