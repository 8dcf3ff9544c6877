package io.parex.discovery;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a name's addresses.
 *
 * @param addresses in the order to try them; empty unless found
 * @param ttlNanos for how long they may be used again
 * @param text what went wrong, in words; empty if found
 */
record Answer(Outcome outcome, List<InetAddress> addresses, long ttlNanos, String text) {
    /** A family that did not answer gets another chance after this time. */
    private static final long PARTIAL_TTL_NANOS = 1_000_000_000L;

    Answer {
        addresses = List.copyOf(addresses);
    }

    static Answer found(List<InetAddress> addresses, long ttlNanos) {
        return new Answer(Outcome.FOUND, addresses, ttlNanos, "");
    }

    /** @param detail what to add to the words of the outcome, such as the server; may be empty */
    static Answer without(Outcome outcome, String detail) {
        return new Answer(
                outcome, List.of(), 0, detail.isEmpty() ? outcome.words() : outcome.words() + " (" + detail + ")");
    }

    /** The same in other words. */
    Answer withText(String words) {
        return new Answer(outcome, addresses, ttlNanos, words);
    }

    boolean isFound() {
        return outcome == Outcome.FOUND;
    }

    /** Whether the next name of the search list may be asked: not where this one may yet have an address. */
    boolean isAbsent() {
        return outcome == Outcome.NAME_NOT_FOUND || outcome == Outcome.NO_ADDRESS;
    }

    /** What both families together say; null stands for one that has not answered yet. */
    static Answer merge(Answer first, Answer second) {
        if (first == null || second == null) {
            Answer only = first == null ? second : first;
            return found(only.addresses, Math.min(only.ttlNanos, PARTIAL_TTL_NANOS));
        }
        if (first.isFound() && second.isFound()) {
            return found(interleave(first.addresses, second.addresses), Math.min(first.ttlNanos, second.ttlNanos));
        }
        if (first.isFound() || second.isFound()) {
            Answer found = first.isFound() ? first : second;
            Answer other = first.isFound() ? second : first;
            return other.isAbsent() ? found : merge(found, null);
        }
        return first.weight() >= second.weight() ? first : second;
    }

    /**
     * Which of two fruitless answers speaks for the name. "Name not found" does, as it holds for every family; a name
     * known to exist without one family has not been ruled out by a failure to learn of the other.
     */
    private int weight() {
        return switch (outcome) {
            case NAME_NOT_FOUND -> 2;
            case TIMED_OUT, REFUSED, UNREACHABLE -> 1;
            case NO_ADDRESS, FOUND -> 0;
        };
    }

    /** By turns, so that two hosts which share one family only meet at the second try, however long the lists. */
    static List<InetAddress> interleave(List<InetAddress> first, List<InetAddress> second) {
        List<InetAddress> all = new ArrayList<>(first.size() + second.size());
        for (int index = 0; index < Math.max(first.size(), second.size()); index++) {
            if (index < first.size()) {
                all.add(first.get(index));
            }
            if (index < second.size()) {
                all.add(second.get(index));
            }
        }
        return all;
    }

    /** The failure in words, to follow the name. */
    ParexException failure() {
        return new ParexException(ErrorKind.UNAVAILABLE, text);
    }
}
