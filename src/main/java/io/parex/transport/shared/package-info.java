/**
 * Memory that a rank shares with a client in another process of the same machine: sealed memory, which the rank makes
 * and neither side can shrink, rings of messages in it, and the Unix socket over which memory is handed out and either
 * side wakes the other. Here is nothing of what the messages mean. Linux only;
 * {@link io.parex.transport.shared.SharedDoor#fault} says whether it can be had. May use {@code transport}, Netty and
 * the JDK's foreign functions.
 *
 * <p>Threads: sockets live on the owner loop of their rank. A ring has one reader and one writer at a time on this
 * side; whoever uses it sees to that.
 *
 * <p>The other process is not trusted: what it writes into shared memory may change at any time, so that cursors are
 * checked when they are read, and records are copied before they are looked at.
 */
package io.parex.transport.shared;
