package io.parex.protocol.link;

import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * Transfers that their sender has ended and whose memory it wants back: given back when the receiver says that it let
 * go, or, if it does not say so in time, when this side's connection has let go. Owner loop only.
 */
final class Withdrawals {
    private static final class Withdrawal {
        int references;
        boolean overdue;
        Timing.Timer timer;
    }

    private final Timing timing;
    private final LongConsumer returned;
    private final Runnable cut;
    private final Map<Long, Withdrawal> open = new HashMap<>();

    /**
     * None yet.
     *
     * @param returned told the number of a transfer whose memory nobody refers to, once, unless {@link #answered} says
     *     so first
     * @param cut ends the connection
     */
    Withdrawals(Timing timing, LongConsumer returned, Runnable cut) {
        this.timing = timing;
        this.returned = returned;
        this.cut = cut;
    }

    /** The sender ends a transfer to whose memory the connection still refers {@code references} times. */
    void begin(long transfer, int references) {
        Withdrawal withdrawal = new Withdrawal();
        withdrawal.references = references;
        withdrawal.timer = timing.schedule(LinkLimits.WITHDRAW_WITHIN, () -> overdue(transfer, withdrawal));
        open.put(transfer, withdrawal);
    }

    private void overdue(long transfer, Withdrawal withdrawal) {
        withdrawal.overdue = true;
        if (withdrawal.references == 0) {
            finish(transfer, withdrawal);
        } else {
            cut.run();
        }
    }

    /** The connection refers once less to the memory of a transfer. */
    void letGo(long transfer) {
        Withdrawal withdrawal = open.get(transfer);
        if (withdrawal != null && --withdrawal.references == 0 && withdrawal.overdue) {
            finish(transfer, withdrawal);
        }
    }

    /**
     * The receiver has let go of the transfer.
     *
     * @return whether the memory is free now; else, or if that was said before, the word of it is not to be passed on
     */
    boolean answered(long transfer) {
        Withdrawal withdrawal = open.get(transfer);
        if (withdrawal == null) {
            return false;
        }
        withdrawal.overdue = true;
        if (withdrawal.references > 0) {
            // The time runs on: a peer that answers and does not read is no reason to wait for the memory for ever.
            return false;
        }
        withdrawal.timer.cancel();
        open.remove(transfer);
        return true;
    }

    private void finish(long transfer, Withdrawal withdrawal) {
        withdrawal.timer.cancel();
        open.remove(transfer, withdrawal);
        returned.accept(transfer);
    }

    void stop() {
        open.values().forEach(withdrawal -> withdrawal.timer.cancel());
        open.clear();
    }
}
