package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.tensor.TensorView;
import io.parex.world.FuzzProgram.Operation;
import io.parex.world.FuzzProgram.Receive;
import io.parex.world.FuzzProgram.Send;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold of the messages of a run: whole, at most once, in order, and none lost. */
final class FuzzMessageChecks {
    private static final long SECOND = 1_000_000_000L;

    private final FuzzRun run;
    private final FuzzProgram program;
    private final List<Operation> inOrder;
    private final Map<Integer, Operation> senders = new HashMap<>();
    private final Map<Integer, Operation> receivers = new HashMap<>();

    FuzzMessageChecks(FuzzRun run) {
        this.run = run;
        this.program = run.program();
        inOrder = new ArrayList<>(run.operations().keySet());
        inOrder.sort(Comparator.comparingLong(each -> outcome(each).submittedNanos));
        for (Operation each : inOrder) {
            if (each.send() != null) {
                senders.put(each.send().id(), each);
            }
        }
    }

    private FuzzOutcome outcome(Operation operation) {
        return run.operations().get(operation);
    }

    void check() {
        for (Operation each : inOrder) {
            String where = each + ", " + outcome(each) + ": ";
            checkEnd(each, where);
            checkUnchanged(each, where);
            if (each.receive() != null && outcome(each).isSuccess()) {
                checkContent(each, where);
            }
        }
        checkOrder();
        for (Operation each : inOrder) {
            String where = each + ", " + outcome(each) + ": ";
            checkSender(each, where);
            checkNotLost(each, where);
        }
    }

    private void checkEnd(Operation each, String where) {
        FuzzOutcome outcome = outcome(each);
        assertTrue(outcome.isOver(), where + "no outcome");
        assertTrue(outcome.isLeftAlone(), where + "somebody wrote to its memory after its end");
        long end = outcome.submittedNanos + each.timeoutNanos();
        if (program.leaver() >= 0 && needs(each, program.leaver())) {
            end = Math.min(end, Math.max(outcome.submittedNanos, run.leftNanos()));
        }
        assertTrue(outcome.endedNanos <= end + SECOND, where + "ended late");
        // All messages are sent long before the first deadline, so whatever has met its other side ends in time.
        assertFalse(outcome.text.matches("timed out.* (has taken|have come).*"), where + "stuck in the middle");
        Set<ErrorKind> allowed = EnumSet.noneOf(ErrorKind.class);
        if (!program.orderly()) {
            allowed.addAll(Set.of(ErrorKind.TIMEOUT, ErrorKind.CANCELLED, ErrorKind.MISMATCH));
        }
        if (program.aborter() >= 0) {
            allowed.add(ErrorKind.ABORTED);
        }
        if (program.leaver() >= 0) {
            allowed.add(ErrorKind.LEFT);
            if (each.rank() == program.leaver()) {
                allowed.add(ErrorKind.UNAVAILABLE);
            }
        }
        assertTrue(outcome.isSuccess() || allowed.contains(outcome.failure), where + "allowed is " + allowed);
    }

    /** A receive that failed before it took anything says so, and it is true. */
    private void checkUnchanged(Operation each, String where) {
        FuzzOutcome outcome = outcome(each);
        if (outcome.text.contains("the buffer is unchanged") && each.send() == null) {
            Tensors.assertSame(outcome.outputBefore, outcome.outputAfter, where + "the buffer is not unchanged");
        }
    }

    private static boolean needs(Operation each, int rank) {
        return each.send() != null && each.send().to() == rank
                || each.receive() != null && each.receive().source() == rank;
    }

    private void checkContent(Operation each, String where) {
        FuzzOutcome outcome = outcome(each);
        Receive receive = each.receive();
        assertFalse(receive.wrong(), where + "no message has this size");
        int id = (int) (Tensors.get(outcome.outputAfter, 0) / FuzzRun.MESSAGE_STRIDE);
        TensorView expected = FuzzRun.message(id, receive.count());
        Tensors.assertSame(expected, outcome.outputAfter, where + "message " + id);
        Operation sender = senders.get(id);
        assertNotNull(sender, where + "message " + id + " was never sent");
        Send send = sender.send();
        assertEquals(each.rank(), send.to(), where + "message " + id + " is for another rank");
        assertTrue(receive.takes(sender.rank(), send.tag()), where + "message " + id + " does not match");
        assertEquals(new Completion(sender.rank(), send.tag(), receive.count()), outcome.completion, where);
        assertTrue(outcome(sender).submittedNanos <= outcome.endedNanos, where + "received before it was sent");
        assertNull(receivers.put(id, each), where + "message " + id + " has been received twice");
    }

    /** Two receives that got messages of one source and tag got them in the order in which these were sent. */
    private void checkOrder() {
        Map<List<Integer>, Integer> latest = new HashMap<>();
        Map<Operation, Integer> received = new HashMap<>();
        receivers.forEach((id, receiver) -> received.put(receiver, id));
        for (Operation each : inOrder) {
            Integer id = received.get(each);
            if (id != null) {
                Operation sender = senders.get(id);
                List<Integer> stream =
                        List.of(sender.rank(), each.rank(), sender.send().tag());
                int position = inOrder.indexOf(sender);
                int before = latest.getOrDefault(stream, -1);
                assertTrue(before < position, each + ": message " + id + " overtook another");
                latest.put(stream, position);
                inOrder.subList(before + 1, position).stream()
                        .filter(other -> other.send() != null
                                && isOf(stream, other)
                                && outcome(other).isSuccess())
                        .forEach(other ->
                                assertTrue(hadByWhoFailed(other), each + ": message " + id + " overtook " + other));
            }
        }
    }

    private void checkSender(Operation each, String where) {
        if (each.send() == null || each.receive() != null) {
            return;
        }
        boolean received = receivers.containsKey(each.send().id());
        if (!outcome(each).isSuccess()) {
            assertFalse(received, where + "said not to be sent, but received");
        } else if (each.send().count() * 4L > Limits.EAGER_BYTES) {
            // The receiving half of a send_recv may have done its part although the whole has failed.
            boolean hidden = inOrder.stream()
                    .anyMatch(other -> other.send() != null
                            && takes(other, each)
                            && !outcome(other).isSuccess());
            assertTrue(received || hidden, where + "said to be received, but nobody did");
        }
    }

    private boolean takes(Operation receiver, Operation sender) {
        return receiver.receive() != null
                && receiver.rank() == sender.send().to()
                && receiver.receive().takes(sender.rank(), sender.send().tag());
    }

    private static boolean isOf(List<Integer> stream, Operation sender) {
        return stream.equals(
                List.of(sender.rank(), sender.send().to(), sender.send().tag()));
    }

    /** Whether a receive may have taken the message and then failed. */
    private boolean hadByWhoFailed(Operation sender) {
        return inOrder.stream()
                .filter(each -> takes(each, sender))
                .map(this::outcome)
                .anyMatch(outcome -> !outcome.isSuccess()
                        && !outcome.text.contains("no message has come that matches")
                        && outcome.endedNanos >= outcome(sender).submittedNanos);
    }

    /**
     * A receive does not time out while a message for it is there, unless other receives that failed may have had it.
     */
    private void checkNotLost(Operation each, String where) {
        if (each.receive() == null
                || outcome(each).failure != ErrorKind.TIMEOUT
                || each.receive().wrong()) {
            return;
        }
        for (Operation sender : senders.values()) {
            if (takes(each, sender)
                    && outcome(sender).isSuccess()
                    && !receivers.containsKey(sender.send().id())) {
                boolean late = outcome(sender).endedNanos > outcome(each).endedNanos - SECOND;
                assertTrue(
                        late || hadByWhoFailed(sender),
                        where + "message " + sender.send().id() + " is lost");
            }
        }
    }
}
