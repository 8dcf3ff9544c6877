package io.parex.protocol;

/**
 * Where a member of a group stands in the recovery of the group: each says so itself, others pass it on.
 *
 * @param member rank in the group
 * @param generation of the member's process that says so
 * @param nonce of that process
 * @param round of recoveries of the group; each word of a process is of a later round than its last
 * @param epoch sum of the generations of all members, as the member knew them
 * @param stage what it does about it
 * @param nextCall number of its next call on the group
 * @param completed calls below this number are completed, as far as they completed at all: one more than the number of
 *     the last call that did, 0 if none
 */
public record Standing(
        int member, long generation, long nonce, long round, long epoch, Stage stage, long nextCall, long completed) {

    /** What a member does about the recovery of its group. */
    public enum Stage {
        /** It has not called for one, or has given up, and there were calls on the group. */
        OUT,
        /** Its caller waits for one; all its earlier calls have ended. */
        READY,
        /** Nobody has called anything on the group: if that is so on all members, they go on without being told to. */
        UNUSED
    }

    /** Whether this counts where {@code other} was heard of the member before: of a later process, or said later. */
    public boolean isAfter(Standing other) {
        return generation != other.generation
                ? generation > other.generation
                : nonce != other.nonce ? Long.compareUnsigned(nonce, other.nonce) > 0 : round > other.round;
    }
}
