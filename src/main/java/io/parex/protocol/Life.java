package io.parex.protocol;

/**
 * One start of a rank, told from every other start of it.
 *
 * @param rank in the world
 * @param generation counts the starts of the rank, from 1
 * @param nonce drawn at the start
 */
public record Life(int rank, long generation, long nonce) {}
