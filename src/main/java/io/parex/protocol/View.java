package io.parex.protocol;

/**
 * How a rank sees the world, for two that have lost each other: the one with the smaller part of it gives way.
 *
 * @param present ranks that are known and not lost, itself included
 * @param epoch sum of the generations of all that are known
 */
public record View(int present, long epoch) {
    /** Of somebody who says nothing of the world. */
    public static final View NONE = new View(0, 0);

    /** Whether it is the view of more ranks than {@code other}, or of as many and of later starts. */
    public boolean outweighs(View other) {
        return present != other.present ? present > other.present : epoch > other.epoch;
    }
}
