/**
 * Which algorithm runs a call: the registry of all of them, the built-in table of thresholds and the overrides. May use
 * {@code schedule}, {@code algorithm} and the exception of {@code io.parex}. Pure: immutable, any thread. It decides by
 * facts that are equal on all ranks only, so that all ranks choose alike without asking each other.
 */
package io.parex.planner;
