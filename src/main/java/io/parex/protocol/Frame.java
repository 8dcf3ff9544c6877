package io.parex.protocol;

import io.parex.tensor.DataType;
import java.util.List;

/**
 * What one rank says to another. Frames of a link arrive once each and in the order sent. Ranks in frames are group
 * ranks; {@code transfer} numbers are given by the sender of the data and are unique per link and direction. All limits
 * ({@link Grant}, {@link Accept}, {@link Credit}, {@link Released}) are cumulative, never increments.
 */
public sealed interface Frame {

    /** What is said within an epoch of a group. */
    sealed interface OfGroup extends Frame
            permits Open, Opened, Grant, Envelope, Fail, Inquire, Answer, Leave, Rejoin, Rejoined {
        /** Identity of the group in one of its epochs: another one after each recovery. */
        long group();
    }

    /**
     * Begins a transfer of a collective: the sender has called.
     *
     * @param group identity of the group in this epoch
     * @param call number of the call on the group
     * @param ordinal counts this call's transfers from the sender to the receiver, from 0
     * @param transfer number of the transfer
     * @param descriptor the sender's descriptor of the call
     * @param bytes length of the transfer
     * @param eager bytes that the sender sends without waiting for a grant
     */
    record Open(long group, long call, int ordinal, long transfer, Descriptor descriptor, long bytes, long eager)
            implements OfGroup {}

    /** The receiver has made the call and agrees with the sender's descriptor; said where nothing else says so. */
    record Opened(long group, long call) implements OfGroup {}

    /**
     * The receiver of a collective's transfer takes its first {@code bytes} bytes. May precede the {@link Open}, so it
     * brings the receiver's descriptor of the call: whoever takes a grant for an agreement has compared.
     */
    record Grant(long group, long call, int ordinal, Descriptor descriptor, long bytes) implements OfGroup {}

    /**
     * A point-to-point message.
     *
     * @param ticket counts the messages from this sender to this receiver in the group, from 0
     * @param eager bytes that follow without waiting for an {@link Accept}: all or none
     */
    record Envelope(long group, int tag, long ticket, long transfer, DataType type, long count, long eager)
            implements OfGroup {
        /** Length of the message in bytes. */
        public long bytes() {
            return count * type.bytes();
        }
    }

    /** A receive has matched the message; the receiver takes its first {@code bytes} bytes. */
    record Accept(long transfer, long bytes) implements Frame {}

    /** The receiver does not take the message, or no more of it. */
    record Refuse(long transfer, Failure failure) implements Frame {}

    /**
     * Bytes of a transfer from {@code offset} on; in order and without gaps within a transfer.
     *
     * @param last whether they end the transfer, for the link that sends them; not told to the receiver by links that
     *     carry bytes
     */
    record Data(long transfer, long offset, Payload payload, boolean last) implements Frame {}

    /** The receiver has consumed the first {@code bytes} bytes and no longer refers to the sender's memory below. */
    record Released(long transfer, long bytes) implements Frame {}

    /** The sender ends the transfer; the receiver lets go of all its bytes and answers {@link Released} with all. */
    record Withdraw(long transfer, Failure failure) implements Frame {}

    /** How many eager bytes and envelopes the sender may have sent over the link since its beginning. */
    record Credit(long bytes, long envelopes) implements Frame {}

    /** A call failed; passed on once by every member. */
    record Fail(long group, long call, Failure failure) implements OfGroup {}

    /** The sender waits in this call: where is the receiver? */
    record Inquire(long group, long call, Descriptor descriptor) implements OfGroup {}

    /**
     * Answers {@link Inquire} if nothing is wrong.
     *
     * @param waitsFor at most 8 ranks for which the answerer waits in this call, directly or behind others; empty if it
     *     does not
     */
    record Answer(long group, long call, Whereabouts whereabouts, List<Integer> waitsFor) implements OfGroup {}

    /**
     * The sender leaves the group in good order; it has made all calls below {@code nextCall} and makes no more, unless
     * it says {@link Rejoin}.
     */
    record Leave(long group, long nextCall) implements OfGroup {}

    /**
     * Lives of ranks that the sender knows of; passed on while it is news, to the neighbours in the ring of ranks, and
     * that a rank was started again also to the ranks at distance 2^k.
     */
    record Lives(List<Life> lives) implements Frame {}

    /** A life of a rank is lost; passed on once by every rank. */
    record Lost(Life life, String reason) implements Frame {}

    /**
     * Where members stand in the recovery of a group; passed on while it is news.
     *
     * @param group what the group is called in all its epochs, unlike the {@code group} of other frames
     */
    record Recover(long group, List<Standing> standings) implements Frame {}

    /** The sender, which had left, makes calls again. */
    record Rejoin(long group) implements OfGroup {}

    /**
     * The sender knows that the receiver has rejoined. Its calls below {@code nextCall} that the receiver has not made
     * have failed, for lack of the receiver.
     */
    record Rejoined(long group, long nextCall) implements OfGroup {}
}
