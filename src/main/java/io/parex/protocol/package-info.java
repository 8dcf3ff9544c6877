/**
 * What ranks say to each other and the state machines that need no I/O: frames, descriptors of calls, matching,
 * credits, and who passes failure notices to whom. No sockets, clocks or threads: inputs come as arguments, outputs go
 * as results, and every object belongs to one rank's owner loop. May use {@code tensor}, and {@code schedule} for the
 * names of the primitives.
 */
package io.parex.protocol;
