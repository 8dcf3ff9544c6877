package io.parex.protocol;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Matches the messages of one group that arrive at one rank with the receives posted there: first come, first served
 * per (source, tag). A message goes to the earliest posted receive that fits, a receive takes the earliest arrived
 * message that fits; a receive may leave source or tag or both open with {@link #ANY}. Owner loop only.
 *
 * @param <R> a posted receive
 * @param <M> an arrived message
 */
public final class Matcher<R, M> {
    /** Stands for any source or any tag of a receive. */
    public static final int ANY = -1;

    private record Key(int source, int tag) {
        boolean accepts(Key message) {
            return (source == ANY || source == message.source) && (tag == ANY || tag == message.tag);
        }

        boolean isExact() {
            return source != ANY && tag != ANY;
        }
    }

    private record Entry<T>(long order, Key key, T item) {}

    private final Map<Key, Deque<Entry<M>>> arrived = new HashMap<>();
    private final Map<Key, Deque<Entry<R>>> posted = new HashMap<>();
    private final Deque<Entry<R>> openPosted = new ArrayDeque<>();
    private long order;

    /** Offers a receive; returns the message it takes, or null after keeping it posted. */
    public M post(int source, int tag, R receive) {
        Key key = new Key(source, tag);
        Entry<M> first = key.isExact() ? head(arrived, key) : earliestArrived(key);
        if (first != null) {
            removeHead(arrived, first.key);
            return first.item;
        }
        Entry<R> entry = new Entry<>(order++, key, receive);
        if (key.isExact()) {
            posted.computeIfAbsent(key, any -> new ArrayDeque<>()).add(entry);
        } else {
            openPosted.add(entry);
        }
        return null;
    }

    /** Offers a message; returns the receive that takes it, or null after keeping it as unexpected. */
    public R arrive(int source, int tag, M message) {
        Key key = new Key(source, tag);
        Entry<R> exact = head(posted, key);
        Entry<R> open = null;
        for (Entry<R> entry : openPosted) {
            if (entry.key.accepts(key)) {
                open = entry;
                break;
            }
        }
        if (exact != null && (open == null || exact.order < open.order)) {
            removeHead(posted, key);
            return exact.item;
        }
        if (open != null) {
            openPosted.remove(open);
            return open.item;
        }
        arrived.computeIfAbsent(key, any -> new ArrayDeque<>()).add(new Entry<>(order++, key, message));
        return null;
    }

    /** Takes a posted receive back; false if it is not posted (any more). */
    public boolean withdrawReceive(int source, int tag, R receive) {
        Key key = new Key(source, tag);
        return key.isExact() ? remove(posted, key, receive) : openPosted.removeIf(entry -> entry.item == receive);
    }

    /** Takes an unexpected message back; false if it is not there (any more). */
    public boolean withdrawMessage(int source, int tag, M message) {
        return remove(arrived, new Key(source, tag), message);
    }

    /** Number of messages that no receive has taken yet. */
    public int unexpected() {
        return arrived.values().stream().mapToInt(Deque::size).sum();
    }

    /** Takes all messages that no receive has taken, in no order. */
    public List<M> takeUnexpected() {
        List<M> all = arrived.values().stream()
                .flatMap(Deque::stream)
                .map(Entry::item)
                .toList();
        arrived.clear();
        return all;
    }

    private Entry<M> earliestArrived(Key wanted) {
        Entry<M> first = null;
        for (Deque<Entry<M>> queue : arrived.values()) {
            Entry<M> head = queue.peek();
            if (wanted.accepts(head.key) && (first == null || head.order < first.order)) {
                first = head;
            }
        }
        return first;
    }

    private static <T> Entry<T> head(Map<Key, Deque<Entry<T>>> map, Key key) {
        Deque<Entry<T>> queue = map.get(key);
        return queue == null ? null : queue.peek();
    }

    private static <T> void removeHead(Map<Key, Deque<Entry<T>>> map, Key key) {
        Deque<Entry<T>> queue = map.get(key);
        queue.remove();
        if (queue.isEmpty()) {
            map.remove(key);
        }
    }

    private static <T> boolean remove(Map<Key, Deque<Entry<T>>> map, Key key, T item) {
        Deque<Entry<T>> queue = map.get(key);
        if (queue == null) {
            return false;
        }
        for (Iterator<Entry<T>> each = queue.iterator(); each.hasNext(); ) {
            if (each.next().item == item) {
                each.remove();
                if (queue.isEmpty()) {
                    map.remove(key);
                }
                return true;
            }
        }
        return false;
    }
}
