package io.parex.bench;

import java.util.Locale;

/** Who makes the timed calls. */
public enum CallerKind {
    /** An ordinary thread per rank, which starts a call and blocks until it is done. */
    THREAD,
    /** The rank's owner loop: the completion of a call starts the next; no thread blocks. */
    LOOP;

    /** Such as {@code thread}, as on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
