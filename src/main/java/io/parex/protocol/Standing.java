package io.parex.protocol;

/**
 * Where a member of a group stands in the recovery of the group: each says so itself, others pass it on.
 *
 * @param member rank in the group
 * @param generation of the member's process that says so
 * @param nonce of that process
 * @param round of recoveries of the group; each word of a process is of a later round than its last
 * @param epoch sum of the generations of all members, as the member knew them
 * @param isReady whether it is in recovery, with all its earlier calls ended; false if it has given up
 * @param nextCall number of its next call on the group
 * @param completed calls below this number are completed, as far as they completed at all: one more than the number of
 *     the last call that did, 0 if none
 */
public record Standing(
        int member,
        long generation,
        long nonce,
        long round,
        long epoch,
        boolean isReady,
        long nextCall,
        long completed) {

    /** Whether this counts where {@code other} was heard of the member before: of a later process, or said later. */
    public boolean isAfter(Standing other) {
        return generation != other.generation
                ? generation > other.generation
                : nonce != other.nonce ? Long.compareUnsigned(nonce, other.nonce) > 0 : round > other.round;
    }
}
