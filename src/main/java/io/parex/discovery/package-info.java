/**
 * Where the ranks of a world are: {@link io.parex.discovery.Discovery} gives the addresses of a rank, from a list or
 * from the names of a Kubernetes headless service; {@link io.parex.discovery.RankIdentity} says which rank this process
 * is, and {@link io.parex.discovery.AdvertisedAddress} by which address it is known. May use the JDK, Mutiny, Vert.x
 * and the Netty below it; nothing of Parex but the root.
 *
 * <p>Names are asked of the DNS servers here, and the answers are literals, so that no cache stands between a record
 * and whoever dials: neither the JVM's nor that of Vert.x sees a name.
 *
 * <p>Threads: lookups run on one event loop and block nothing; an answer comes on the Vert.x context that subscribed,
 * or on that loop. The rest is pure, except {@link io.parex.discovery.LocalHost#read}, which is for the start.
 */
package io.parex.discovery;
