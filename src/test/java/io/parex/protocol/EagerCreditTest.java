package io.parex.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EagerCreditTest {
    private final EagerCredit credit = new EagerCredit(100, 4);

    @Test
    void shouldGiveAsMuchAsThePoolHolds() {
        assertTrue(credit.takeBytes(60));
        assertFalse(credit.takeBytes(41));
        assertTrue(credit.takeBytes(40));
        assertFalse(credit.takeBytes(1));
        assertTrue(credit.takeBytes(0));
        for (int i = 0; i < 4; i++) {
            assertTrue(credit.takeEnvelope());
        }
        assertFalse(credit.takeEnvelope());
        credit.giveBackEnvelope();
        assertTrue(credit.takeEnvelope());
    }

    @Test
    void shouldTellOnlyWhenHalfAPoolHasComeFree() {
        credit.consumedBytes(49);
        assertNull(credit.due());
        credit.consumedBytes(1);
        assertEquals(new Frame.Credit(150, 4), credit.due());
        assertNull(credit.due());
        credit.consumedEnvelope();
        assertNull(credit.due());
        credit.consumedEnvelope();
        assertEquals(new Frame.Credit(150, 6), credit.due());
    }

    @Test
    void shouldTakeTheHighestLimitsItWasTold() {
        credit.limits(150, 6);
        credit.limits(120, 5);
        assertTrue(credit.takeBytes(150));
        assertFalse(credit.takeBytes(1));
        for (int i = 0; i < 6; i++) {
            assertTrue(credit.takeEnvelope());
        }
        assertFalse(credit.takeEnvelope());
    }

    /** Whatever the order: never more than the pool outstanding, and never stuck for ever. */
    @Test
    void shouldNeverHaveMoreOutstandingThanThePool() {
        for (long seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            EagerCredit sender = new EagerCredit(1000, 10);
            EagerCredit receiver = new EagerCredit(1000, 10);
            Deque<Integer> outstanding = new ArrayDeque<>();
            Deque<Frame.Credit> onTheWay = new ArrayDeque<>();
            long bytes = 0;
            int sent = 0;
            for (int step = 0; step < 2000; step++) {
                int size = random.nextInt(300);
                if (random.nextBoolean() && sender.takeEnvelope()) {
                    if (sender.takeBytes(size)) {
                        outstanding.add(size);
                        bytes += size;
                        sent++;
                    } else {
                        sender.giveBackEnvelope();
                    }
                } else if (!outstanding.isEmpty()) {
                    int consumed = outstanding.remove();
                    bytes -= consumed;
                    receiver.consumedBytes(consumed);
                    receiver.consumedEnvelope();
                    Frame.Credit due = receiver.due();
                    if (due != null) {
                        onTheWay.add(due);
                    }
                }
                if (!onTheWay.isEmpty() && random.nextBoolean()) {
                    Frame.Credit limits = onTheWay.remove();
                    sender.limits(limits.bytes(), limits.envelopes());
                }
                assertTrue(bytes <= 1000 && outstanding.size() <= 10, "seed " + seed + ", step " + step);
            }
            assertTrue(sent > 400, "seed " + seed + ": only " + sent + " messages");
        }
    }
}
