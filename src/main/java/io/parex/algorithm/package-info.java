/**
 * One class per algorithm, each a pure function from a {@link io.parex.schedule.Problem} to a
 * {@link io.parex.schedule.Schedule}. May use {@code schedule} only. Pure: stateless, any thread.
 *
 * <p>In the costs, p is the number of ranks, n the bytes of the tensor, L the logarithm of p to base 2, α the seconds
 * that a message takes however short it is, β the seconds per byte sent, γ the seconds per byte combined.
 */
package io.parex.algorithm;
