/**
 * The gRPC edge of the ranks that this process hosts: the session and the plain RPCs of {@code parex.v1.Parex}, health
 * and readiness, the configuration, and the beans that applications may inject ({@link io.parex.service.HostedRanks},
 * and {@code World} where one rank is hosted).
 *
 * <p>May depend on {@code world}, {@code tensor} and what they stand on, on the generated {@code io.parex.v1},
 * grpc-java and Quarkus; nothing below it knows of it.
 *
 * <p>Threads: nothing here blocks, so gRPC may call on its event loops, and ranks on their owner loops. All that
 * belongs to one stream happens in its {@code Mailbox}, one task at a time; what is shared by streams says "any
 * thread".
 *
 * <p>Copies of a tensor's byte on its way in: from the socket's buffer to the message's array to the chunk's string
 * (gRPC and protobuf), and into the staging memory that the fabric reads. On its way out: from the staging memory, in
 * pieces of 4 KiB, to the socket's buffer.
 */
package io.parex.service;
