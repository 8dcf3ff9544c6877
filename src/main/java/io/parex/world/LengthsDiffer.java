package io.parex.world;

/** Two ranks do not mean the same number of elements by one transfer. */
final class LengthsDiffer extends Exception {
    private static final long serialVersionUID = 1L;

    private final long taken;
    private final long sent;

    /**
     * A difference.
     *
     * @param taken elements that the receiver takes
     * @param sent elements that the sender has
     */
    LengthsDiffer(long taken, long sent) {
        super(null, null, false, false);
        this.taken = taken;
        this.sent = sent;
    }

    /** What is wrong, in words. */
    String words(int receiver, int sender, String type) {
        return "rank " + sender + " sends " + sent + " " + type + " to rank " + receiver + ", which takes " + taken
                + " from it";
    }
}
