/**
 * The Java client of a rank: {@link io.parex.client.ParexClient} speaks the session of {@code parex.v1.Parex} and gives
 * results as Mutiny {@code Uni}s. Goes out as a jar of its own with the generated {@code io.parex.v1}.
 *
 * <p>May depend on {@code io.parex}, {@code io.parex.tensor}, {@code io.parex.v1}, Mutiny and grpc-java; on nothing of
 * the server.
 *
 * <p>Threads: every public method may be called from any thread and returns at once, unless it says that it waits.
 * Results come on the connection's I/O thread, which also moves the tensors: who subscribes must not block it.
 *
 * <p>Copies of a tensor's byte on its way out: from the caller's memory to an array of the session, a chunk at a time,
 * and from there to the socket's buffer, so that memory that is closed meanwhile is found out before gRPC reads it;
 * small messages are copied once more when they are submitted, so that the caller may change them. On its way in: from
 * the socket's buffer to the message's array to the chunk's string (gRPC and protobuf), and into the caller's memory.
 */
package io.parex.client;
