package io.parex.protocol;

/**
 * One start of a rank, told from every other start of it.
 *
 * @param rank in the world
 * @param generation counts the starts of the rank, from 1; 0 if nothing is known of it. A process that learns while it
 *     starts that there was another before raises its own
 * @param nonce drawn at the start: which process it is, whatever its generation
 * @param address where it listens, {@code host:port}, as it says itself; empty if it does not say, or is not known
 */
public record Life(int rank, long generation, long nonce, String address) {

    /** A life that does not say where it listens. */
    public Life(int rank, long generation, long nonce) {
        this(rank, generation, nonce, "");
    }

    /** What is known of a rank of which nothing is known. */
    public static Life unknown(int rank) {
        return new Life(rank, 0, 0);
    }

    /** The same process, of another generation. */
    public Life of(long another) {
        return new Life(rank, another, nonce, address);
    }

    /** The same, with another place where it listens. */
    public Life at(String place) {
        return new Life(rank, generation, nonce, place);
    }

    /** Whether both are the same process. */
    public boolean isSameProcess(Life other) {
        return nonce == other.nonce;
    }

    /** Whether this life counts where {@code other} was known before: the later generation, then the larger nonce. */
    public boolean isAfter(Life other) {
        return generation != other.generation
                ? generation > other.generation
                : Long.compareUnsigned(nonce, other.nonce) > 0;
    }
}
