/**
 * Ranks as their callers see them, and what makes them work: {@link io.parex.world.World},
 * {@link io.parex.world.ProcessGroup} and {@link io.parex.world.Work} are the public Java API; behind it are the engine
 * that runs schedules, point-to-point messages, the comparison of calls, the spreading of failures and the search for
 * who is missing. State is touched on the rank's owner loop only; the public API is for any thread and hands over. May
 * use everything but {@code telemetry}, {@code client}, {@code service}, {@code console}, {@code bench}, {@code demo}
 * and {@code cli}; compiles without Quarkus.
 */
package io.parex.world;
