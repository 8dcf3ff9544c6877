package io.parex.world;

/**
 * What this rank has made of the groups of one name and member list, so that each of them has an identity of its own in
 * its first epoch, which all members compute alike without a word: they create and close them in the same order. It
 * begins anew when a member is started again, for that one knows nothing of before, and with each recovery. Owner loop
 * only.
 */
final class Lineage {
    private long view;
    private long recovered;
    private long created;

    /**
     * The identity of one that is created now.
     *
     * @param present tells the present processes of the members from others
     */
    long next(long present) {
        if (present != view) {
            view = present;
            recovered = 0;
            created = 0;
        }
        created++;
        return Identity.of(view, recovered, created);
    }

    /** One was recovered. */
    void recovered(long present, long identity) {
        view = present;
        recovered = identity;
        created = 0;
    }
}
