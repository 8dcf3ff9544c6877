package io.parex.protocol;

/**
 * How a rank sees the world, for two that have lost each other: the one with the smaller part of it gives way.
 *
 * @param present ranks that are known and not lost, itself included
 * @param epoch sum of the generations of all that are known
 * @param lives tells which processes these are from other processes of the same generations
 */
public record View(int present, long epoch, long lives) {
    /** Of somebody who says nothing of the world. */
    public static final View NONE = new View(0, 0, 0);

    /**
     * Whether it is the view of more ranks than {@code other}, or of as many and of later starts. Of two views of other
     * processes one outweighs the other; those of the same processes may be equal.
     */
    public boolean outweighs(View other) {
        if (present != other.present) {
            return present > other.present;
        }
        return epoch != other.epoch ? epoch > other.epoch : lives > other.lives;
    }
}
