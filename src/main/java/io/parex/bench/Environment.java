package io.parex.bench;

/**
 * Where a measurement was taken, as every result says.
 *
 * @param commit of the build
 * @param jdk version of the JVM
 * @param ranks ranks of the world
 * @param isolation {@code process}: each rank in a process of its own; {@code jvm}: all in one
 * @param via what callers go through: {@code fabric}, the Java API
 */
public record Environment(String commit, String jdk, int ranks, String isolation, String via) {

    /** On this JVM, and others like it, called by the Java API. */
    public static Environment here(String commit, int ranks, String isolation) {
        return new Environment(commit, Runtime.version().toString(), ranks, isolation, "fabric");
    }
}
