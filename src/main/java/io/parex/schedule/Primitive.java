package io.parex.schedule;

import java.util.Locale;

/** The primitives by the names that the command line, metrics and traces use. */
public enum Primitive {
    SEND,
    RECV,
    ISEND,
    IRECV,
    SEND_RECV,
    BARRIER,
    BROADCAST,
    ALL_REDUCE;

    /** Such as {@code all_reduce}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether every rank's completion depends on every other rank having called. */
    public boolean synchronising() {
        return this == BARRIER || this == ALL_REDUCE;
    }

    /** Whether values are combined on the way. */
    public boolean reducing() {
        return this == ALL_REDUCE;
    }

    /** Busbw = algbw x this factor, as nccl-tests defines it, for {@code size} ranks. */
    public double busFactor(int size) {
        return this == ALL_REDUCE ? 2.0 * (size - 1) / size : 1.0;
    }
}
