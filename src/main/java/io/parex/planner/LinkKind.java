package io.parex.planner;

import java.util.Locale;

/** What joins the ranks of a world, where they differ in what messages cost. */
public enum LinkKind {
    /** The memory of one process. */
    MEMORY,
    /** TCP between processes of one host. */
    LOOPBACK,
    /** TCP between hosts. */
    NETWORK;

    /** Such as {@code memory}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
