/**
 * A network and loops under virtual time: one thread, one seed, no wall clock. Delays and stalls are drawn from the
 * seed; the same seed gives the same run. Ranks on it are the very classes that run on real loops.
 */
package io.parex.simulator;
