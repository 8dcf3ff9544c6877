package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.Operation;
import io.parex.v1.Submit;

/**
 * Keeps the collectives of a client in step with those of other ranks when one of them is refused before it was made:
 * what the client had sent by then, not knowing, would take the refused call's place and pair with the wrong calls. In
 * the session's mailbox. A recovery of the group ends it: what was called before takes nobody's place after.
 */
final class Refusals {
    private long latest;

    /** Whether {@code operation} is a call that all members of a group make. */
    static boolean isCollective(Operation operation) {
        return switch (operation.getCallCase()) {
            case SEND, RECV, SEND_RECV, CALL_NOT_SET -> false;
            default -> true;
        };
    }

    /** The collective {@code id} was refused, and none was made in its place. */
    void add(long id) {
        latest = Math.max(latest, id);
    }

    /**
     * Refuses the collectives of {@code message} if the client, which says what it has seen, cannot know of the latest
     * refusal.
     */
    void check(Submit message) {
        if (message.hasRefusalSeen()
                && message.getRefusalSeen() < latest
                && message.getOperationsList().stream().anyMatch(Refusals::isCollective)) {
            throw new ParexException(
                    ErrorKind.ABORTED,
                    "operation " + latest + ", a collective before this one, was refused, and this one would pair with"
                            + " the wrong call of other ranks; nothing was started, make them again in their order");
        }
    }
}
