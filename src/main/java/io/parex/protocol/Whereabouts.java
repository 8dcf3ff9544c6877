package io.parex.protocol;

/**
 * Where a rank is that others wait for.
 *
 * @param nextCall number of the first call on the group that it has not made
 * @param lastCall its last call in words; of one that has made none why, empty if that is all there is to say
 * @param running whether that call is still running
 * @param idleNanos time since its last call was made or ended
 */
public record Whereabouts(long nextCall, String lastCall, boolean running, long idleNanos) {

    /** Whether call {@code call} has not been made yet. */
    public boolean misses(long call) {
        return nextCall <= call;
    }

    /** The same, {@code nanos} later, if nothing has happened since. */
    public Whereabouts after(long nanos) {
        return new Whereabouts(nextCall, lastCall, running, idleNanos + nanos);
    }

    /** Such as {@code last call #2 all_reduce(...), ended 3.2 s ago}. */
    @Override
    public String toString() {
        if (lastCall.isEmpty() || nextCall == 0) {
            return "has made no call on the group" + (lastCall.isEmpty() ? "" : ": " + lastCall);
        }
        return "last call #" + (nextCall - 1) + " " + lastCall + ", " + (running ? "running for " : "ended ")
                + Durations.words(idleNanos) + (running ? "" : " ago");
    }
}
