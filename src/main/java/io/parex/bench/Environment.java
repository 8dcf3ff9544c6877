package io.parex.bench;

/**
 * Where a measurement was taken, as every result says.
 *
 * @param commit of the build
 * @param jdk version of the JVM
 * @param ranks ranks of the world
 * @param isolation {@code jvm}: all ranks in one process
 * @param via what callers go through: {@code fabric}, the Java API
 */
public record Environment(String commit, String jdk, int ranks, String isolation, String via) {

    /** A world in this process, called by the Java API. */
    public static Environment inJvm(String commit, int ranks) {
        return new Environment(commit, Runtime.version().toString(), ranks, "jvm", "fabric");
    }
}
