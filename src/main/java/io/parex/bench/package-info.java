/**
 * What {@code parex bench} does: runs a primitive on all ranks of a world, verifies it against exact values, times it
 * by a blocking thread per rank or from completion to completion on the owner loops, and reports in the columns of
 * nccl-tests or as JSON. No command line in it.
 *
 * <p>May use {@code world}, {@code planner}, {@code tensor}, {@code schedule} and the JDK. {@link io.parex.bench.Bench}
 * runs on one thread of the caller's, which blocks; only {@link io.parex.bench.Caller} knows of others.
 */
package io.parex.bench;
