package io.parex.schedule;

import java.util.Locale;

/**
 * The primitives by the names that the command line, metrics and traces use. The v-forms cut their tensors into blocks
 * of any lengths; one algorithm runs a primitive and its v-form.
 */
public enum Primitive {
    SEND,
    RECV,
    ISEND,
    IRECV,
    SEND_RECV,
    BARRIER,
    BROADCAST,
    ALL_REDUCE,
    SCATTER,
    GATHER,
    ALL_GATHER,
    REDUCE,
    REDUCE_SCATTER,
    ALL_TO_ALL,
    SCATTER_V,
    GATHER_V,
    ALL_GATHER_V,
    REDUCE_SCATTER_V,
    ALL_TO_ALL_V;

    /** Such as {@code all_reduce}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The primitive whose v-form this is, else this one. */
    public Primitive base() {
        return switch (this) {
            case SCATTER_V -> SCATTER;
            case GATHER_V -> GATHER;
            case ALL_GATHER_V -> ALL_GATHER;
            case REDUCE_SCATTER_V -> REDUCE_SCATTER;
            case ALL_TO_ALL_V -> ALL_TO_ALL;
            default -> this;
        };
    }

    /** The v-form of this primitive, or this one where it is one or has none. */
    public Primitive vForm() {
        return switch (this) {
            case SCATTER -> SCATTER_V;
            case GATHER -> GATHER_V;
            case ALL_GATHER -> ALL_GATHER_V;
            case REDUCE_SCATTER -> REDUCE_SCATTER_V;
            case ALL_TO_ALL -> ALL_TO_ALL_V;
            default -> this;
        };
    }

    /** Whether blocks may be of different lengths. */
    public boolean isV() {
        return this != base();
    }

    /** Whether tensors are cut into blocks that belong to ranks. */
    public boolean isBlocked() {
        return vForm().isV();
    }

    /** Whether the length of a block is known to the two ranks only that give and take it. */
    public boolean isPairwise() {
        return this == SCATTER_V || this == GATHER_V || this == ALL_TO_ALL_V;
    }

    /** Whether all members of a group call it together; else one rank sends to another. */
    public boolean isCollective() {
        return switch (this) {
            case SEND, RECV, ISEND, IRECV, SEND_RECV -> false;
            default -> true;
        };
    }

    /** Whether every rank's completion depends on every other rank having called. */
    public boolean synchronising() {
        return switch (base()) {
            case BARRIER, ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> true;
            default -> false;
        };
    }

    /** Whether values are combined on the way. */
    public boolean reducing() {
        return switch (base()) {
            case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> true;
            default -> false;
        };
    }

    /** Whether one rank, the root, has a part of its own. */
    public boolean rooted() {
        return switch (base()) {
            case BROADCAST, SCATTER, GATHER, REDUCE -> true;
            default -> false;
        };
    }

    /** Busbw = algbw x this factor, as nccl-tests defines it, for {@code size} ranks. */
    public double busFactor(int size) {
        return switch (base()) {
            case ALL_REDUCE -> 2.0 * (size - 1) / size;
            case SCATTER, GATHER, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL -> (double) (size - 1) / size;
            default -> 1.0;
        };
    }
}
