package io.parex.protocol.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.protocol.Frame;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which frame goes next, of memory that is lent and of copies. A dot is a frame whose acknowledgement is waited for.
 */
@ParameterizedClass
@ValueSource(booleans = {true, false})
class OutboxTest {
    private static final int PAYLOAD = 32;

    @Parameter
    private boolean lent;

    private final Pairing memory = new Pairing();
    private final Outbox outbox = new Outbox(PAYLOAD);

    private Frame data(long transfer, int bytes) {
        MemorySegment content = Pairing.memory(bytes, 0);
        return lent ? Pairing.lent(transfer, content) : memory.copied(transfer, content);
    }

    /** The words of lent memory; of copies nobody waits for an acknowledgement. */
    private List<String> expected(String... words) {
        return Stream.of(words).map(word -> lent ? word : word.replace(".", "")).toList();
    }

    private List<String> drain() {
        List<String> order = new ArrayList<>();
        for (Outgoing next = outbox.next(); next != null; next = outbox.next()) {
            order.add(word(next));
            next.settle();
        }
        assertTrue(outbox.isEmpty());
        assertEquals(0, memory.pool.usedBytes(), "copies that nobody needs");
        return order;
    }

    private static String word(Outgoing frame) {
        if (frame.isData()) {
            return frame.transfer() + "@" + frame.offset() + "+" + frame.length() + (frame.isAwaited() ? "." : "");
        }
        return frame.closeReason() != null
                ? "close"
                : frame.control() instanceof Frame.Leave ? "leave" : "note " + ((Frame.Opened) frame.control()).call();
    }

    @Test
    void shouldPutControlBeforeDataAndKeepItsOrder() {
        outbox.add(data(1, 8));
        outbox.add(Pairing.note(1));
        outbox.add(Pairing.note(2));
        assertTrue(outbox.isControlNext());
        assertEquals(expected("note 1", "note 2", "1@0+8."), drain());
    }

    @Test
    void shouldLetTransfersTakeTurnsFrameByFrame() {
        outbox.add(data(1, 3 * PAYLOAD));
        outbox.add(data(2, PAYLOAD + 1));
        outbox.add(data(3, 5));
        assertFalse(outbox.isControlNext());
        assertEquals(expected("1@0+32", "2@0+32", "3@0+5.", "1@32+32", "2@32+1.", "1@64+32."), drain());
    }

    @Test
    void shouldKeepTheOrderOfThePiecesOfATransfer() {
        outbox.add(new Frame.Data(1, 0, ((Frame.Data) data(1, 40)).payload(), false));
        outbox.add(data(2, 1));
        outbox.add(new Frame.Data(1, 40, ((Frame.Data) data(1, 8)).payload(), true));
        assertEquals(expected("1@0+32", "2@0+1.", "1@32+8", "1@40+8."), drain());
    }

    @Test
    void shouldLetALeaveOvertakeNothingAndNothingOvertakeIt() {
        outbox.add(data(1, 40));
        outbox.add(new Frame.Leave(1, 1));
        outbox.add(Pairing.note(1));
        outbox.add(data(2, 4));
        outbox.add(new Frame.Leave(1, 2));
        outbox.add(Pairing.note(2));
        outbox.addClose("end");
        assertEquals(expected("1@0+32", "1@32+8.", "leave", "note 1", "2@0+4.", "leave", "note 2", "close"), drain());
    }

    @Test
    void shouldSendATransferOfNoBytes() {
        outbox.add(data(1, 0));
        assertEquals(expected("1@0+0."), drain());
    }

    @Test
    void shouldForgetTheDataOfATransferAlsoBehindALeave() {
        outbox.add(data(1, 40));
        outbox.add(data(2, 4));
        Outgoing begun = outbox.next();
        outbox.add(new Frame.Leave(1, 1));
        outbox.add(data(1, 7));
        outbox.add(Pairing.note(1));
        outbox.drop(1);
        assertEquals("1@0+32", word(begun));
        assertEquals(!lent, memory.pool.usedBytes() > 0, "the frame under way still needs its copy");
        begun.settle();
        assertEquals(expected("2@0+4.", "leave", "note 1"), drain());
    }

    @Test
    void shouldForgetAllDataAndKeepControl() {
        outbox.add(data(1, 40));
        outbox.add(Pairing.note(1));
        outbox.add(new Frame.Leave(1, 1));
        outbox.add(data(2, 4));
        outbox.dropData();
        assertEquals(expected("note 1", "leave"), drain());
    }

    @Test
    void shouldForgetEverything() {
        outbox.add(data(1, 40));
        outbox.add(Pairing.note(1));
        outbox.add(new Frame.Leave(1, 1));
        outbox.add(data(2, 4));
        outbox.addClose("end");
        outbox.dropAll();
        assertNull(outbox.next());
        assertEquals(expected(), drain());
    }
}
