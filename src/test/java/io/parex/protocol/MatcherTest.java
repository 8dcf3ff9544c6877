package io.parex.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MatcherTest {
    private static final int ANY = Matcher.ANY;

    private final Matcher<String, String> matcher = new Matcher<>();

    @Test
    void shouldKeepAReceiveUntilItsMessageComes() {
        assertNull(matcher.post(0, 5, "receive"));
        assertNull(matcher.arrive(0, 4, "other tag"));
        assertNull(matcher.arrive(1, 5, "other source"));
        assertEquals("receive", matcher.arrive(0, 5, "message"));
        assertNull(matcher.arrive(0, 5, "one too many"));
        assertEquals(3, matcher.unexpected());
    }

    @Test
    void shouldKeepAMessageUntilItsReceiveComes() {
        assertNull(matcher.arrive(0, 5, "message"));
        assertNull(matcher.post(0, 4, "other tag"));
        assertNull(matcher.post(1, 5, "other source"));
        assertEquals("message", matcher.post(0, 5, "receive"));
        assertEquals(0, matcher.unexpected());
    }

    @Test
    void shouldKeepTheOrderOfOneSourceAndTag() {
        matcher.arrive(0, 5, "first");
        matcher.arrive(0, 5, "second");
        assertEquals("first", matcher.post(0, 5, "a"));
        assertEquals("second", matcher.post(0, 5, "b"));
        matcher.post(0, 5, "c");
        matcher.post(0, 5, "d");
        assertEquals("c", matcher.arrive(0, 5, "third"));
        assertEquals("d", matcher.arrive(0, 5, "fourth"));
    }

    @Test
    void shouldGiveAnOpenReceiveTheEarliestMessageThatFits() {
        matcher.arrive(2, 7, "first");
        matcher.arrive(1, 5, "second");
        matcher.arrive(2, 5, "third");
        assertEquals("second", matcher.post(ANY, 5, "any source"));
        assertEquals("first", matcher.post(2, ANY, "any tag"));
        assertEquals("third", matcher.post(ANY, ANY, "anything"));
    }

    @Test
    void shouldGiveAMessageToTheEarliestReceiveThatFits() {
        matcher.post(ANY, 5, "any source");
        matcher.post(0, 5, "exact");
        matcher.post(ANY, ANY, "anything");
        assertEquals("any source", matcher.arrive(0, 5, "first"));
        assertEquals("exact", matcher.arrive(0, 5, "second"));
        assertEquals("anything", matcher.arrive(0, 5, "third"));
    }

    @Test
    void shouldTakeBackWhatIsStillThere() {
        matcher.post(0, 5, "exact");
        matcher.post(ANY, 5, "open");
        matcher.arrive(1, 6, "message");
        assertTrue(matcher.withdrawReceive(0, 5, "exact"));
        assertFalse(matcher.withdrawReceive(0, 5, "exact"));
        assertTrue(matcher.withdrawReceive(ANY, 5, "open"));
        assertFalse(matcher.withdrawReceive(ANY, 5, "open"));
        assertTrue(matcher.withdrawMessage(1, 6, "message"));
        assertFalse(matcher.withdrawMessage(1, 6, "message"));
        assertNull(matcher.arrive(0, 5, "finds nobody"));
        assertNull(matcher.post(1, 6, "finds nothing"));
    }

    /** The rule as lists: earliest first, looked through from the start. */
    private static final class Naive {
        private record Item(int source, int tag, Integer id) {
            boolean fits(Item other) {
                return (source == other.source || source == ANY || other.source == ANY)
                        && (tag == other.tag || tag == ANY || other.tag == ANY);
            }
        }

        private final List<Item> receives = new ArrayList<>();
        private final List<Item> messages = new ArrayList<>();

        Integer offer(boolean receive, Item item) {
            List<Item> candidates = receive ? messages : receives;
            for (int i = 0; i < candidates.size(); i++) {
                if (candidates.get(i).fits(item)) {
                    return candidates.remove(i).id;
                }
            }
            (receive ? receives : messages).add(item);
            return null;
        }
    }

    @Test
    void shouldDoWhatANaiveSearchDoes() {
        for (long seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Matcher<Integer, Integer> fast = new Matcher<>();
            Naive naive = new Naive();
            for (int step = 0; step < 400; step++) {
                String where = "seed " + seed + ", step " + step;
                if (random.nextInt(8) == 0) {
                    withdraw(random, fast, naive, where);
                    continue;
                }
                // Boxed once: identity is what the matcher goes by.
                Integer id = step + 1000;
                if (random.nextBoolean()) {
                    Naive.Item item = new Naive.Item(random.nextInt(-1, 3), random.nextInt(-1, 3), id);
                    assertEquals(naive.offer(true, item), fast.post(item.source, item.tag, id), where);
                } else {
                    Naive.Item item = new Naive.Item(random.nextInt(3), random.nextInt(3), id);
                    assertEquals(naive.offer(false, item), fast.arrive(item.source, item.tag, id), where);
                }
                assertEquals(naive.messages.size(), fast.unexpected(), where);
            }
        }
    }

    private static void withdraw(Random random, Matcher<Integer, Integer> fast, Naive naive, String where) {
        List<Naive.Item> items = random.nextBoolean() ? naive.receives : naive.messages;
        if (!items.isEmpty()) {
            Naive.Item item = items.remove(random.nextInt(items.size()));
            assertTrue(
                    items == naive.receives
                            ? fast.withdrawReceive(item.source, item.tag, item.id)
                            : fast.withdrawMessage(item.source, item.tag, item.id),
                    where);
        }
    }
}
