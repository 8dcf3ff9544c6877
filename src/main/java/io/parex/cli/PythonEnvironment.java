package io.parex.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the processes of a job need in Python: the package that belongs to this Parex, output as it is written, and no
 * more threads than there are cores. What the user has set stays as it is.
 *
 * @param packages the folder with the package, {@code target/python} of a build; empty where there is none
 * @param cores of this machine
 */
record PythonEnvironment(Optional<Path> packages, int cores) {
    private static final String PATH = "PYTHONPATH";

    /** That of the Parex that runs: the launcher, {@code quarkus-app} and {@code python} lie in one folder. */
    static PythonEnvironment here() {
        Path application = Path.of(System.getProperty("java.class.path")).toAbsolutePath();
        return new PythonEnvironment(
                Optional.of(application)
                        .filter(jar -> jar.endsWith(Path.of("quarkus-app", "quarkus-run.jar")))
                        .map(jar -> jar.getParent().resolveSibling("python"))
                        .filter(Files::isDirectory),
                Runtime.getRuntime().availableProcessors());
    }

    /**
     * What to add to the environment {@code given} of each of {@code size} processes. Without the limit of threads all
     * of them would compute with as many threads as there are cores, and be slower together than with one thread each.
     */
    Map<String, String> additions(int size, Map<String, String> given) {
        Map<String, String> variables = new LinkedHashMap<>();
        packages.ifPresent(folder -> {
            String others = given.getOrDefault(PATH, "");
            variables.put(PATH, others.isEmpty() ? folder.toString() : folder + ":" + others);
        });
        if (!given.containsKey("PYTHONUNBUFFERED")) {
            variables.put("PYTHONUNBUFFERED", "1");
        }
        if (size >= cores && !given.containsKey("OMP_NUM_THREADS")) {
            variables.put("OMP_NUM_THREADS", "1");
        }
        return variables;
    }
}
