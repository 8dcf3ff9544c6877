package io.parex.service;

/** Who makes calls: a session, a named sequence of plain RPCs, or a single plain RPC. Compared by identity. */
final class Party {
    private final String label;
    private final boolean lasting;

    private Party(String label, boolean lasting) {
        this.label = label;
        this.lasting = lasting;
    }

    /** A client that stays from its first call until it says that it is gone. */
    static Party session(String label) {
        return new Party(label, true);
    }

    /** A client that is there for as long as its calls last. */
    static Party rpc(String label) {
        return new Party(label, false);
    }

    boolean isLasting() {
        return lasting;
    }

    /** As messages name it, such as "session 'trainer-0'". */
    @Override
    public String toString() {
        return label;
    }
}
