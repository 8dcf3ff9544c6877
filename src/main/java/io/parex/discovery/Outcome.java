package io.parex.discovery;

/** How asking for the addresses of a name ended. */
enum Outcome {
    /** There are addresses. */
    FOUND(""),
    /** The server says that there is no such name. */
    NAME_NOT_FOUND("name not found"),
    /** The name exists, without an address of the family. */
    NO_ADDRESS("no address record"),
    /** A server gave no answer in time. */
    TIMED_OUT("timed out"),
    /** A server answered that it cannot or will not. */
    REFUSED("refused by the name server"),
    /** A question could not even be sent. */
    UNREACHABLE("no way to the name server");

    private final String words;

    Outcome(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }

    /** Whether another server has nothing to add. */
    boolean isDefinite() {
        return this == FOUND || this == NAME_NOT_FOUND || this == NO_ADDRESS;
    }
}
