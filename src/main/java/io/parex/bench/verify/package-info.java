/**
 * What {@code parex verify} does: lists the checks of every primitive, algorithm, type and operation, makes each call
 * on all ranks of a real world, and compares all that is left in memory with plain arithmetic of its own. No command
 * line in it.
 *
 * <p>May use {@code world}, {@code planner}, {@code algorithm}, {@code tensor}, {@code schedule} and the JDK.
 * {@link io.parex.bench.verify.Verify} runs on one thread of the caller's, which blocks.
 */
package io.parex.bench.verify;
