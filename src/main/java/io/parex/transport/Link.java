package io.parex.transport;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;

/**
 * The way from one rank to another, one direction. Frames arrive once each, in order, on the receiver's owner loop.
 * Bytes that a frame lends stay the sender's memory. Owner loop of the sender only, but for what says otherwise.
 */
public interface Link {

    /** Sends without blocking. What is sent after {@link #close} is dropped and its copied bytes are released. */
    void send(Frame frame);

    /** Closes this direction: the receiver hears of it after the frames sent before. Idempotent. */
    void close(String reason);

    /**
     * The receiver is lost, as others have found: nothing is brought to it any more, and {@link Receiver#onClosed}
     * follows unless it was said. Nothing happens where links cannot break.
     */
    default void lose(String reason) {}

    /** Whether the peer can be reached now. True where links cannot break. */
    default boolean isAnswering() {
        return true;
    }

    /** Whether it leads, or may yet, to the process of this life. True where links cannot break. */
    default boolean isTo(Life life) {
        return true;
    }

    /** Whether the receiver has been told of the end. False where links cannot break. */
    default boolean isEnded() {
        return false;
    }

    /** Whether frames can reach the receiver now, unless it has ended; always where links cannot break. Any thread. */
    default boolean isConnected() {
        return true;
    }

    /** The receiving end; called on the receiver's owner loop. */
    interface Receiver {
        /** A frame from rank {@code peer} of the world. */
        void onFrame(int peer, Frame frame);

        /**
         * The first {@code bytes} bytes of a transfer to {@code peer} have been brought over, and the link does not
         * refer to this rank's memory of them any more; only of links that copy what they are lent.
         */
        void onReturned(int peer, long transfer, long bytes);

        /** Nothing more comes from {@code peer}, and nothing of it refers to this rank's memory any more. */
        void onClosed(int peer, String reason);

        /**
         * A process has greeted that is a life of its rank which the membership does not know; it does when this
         * returns. Only of ranks in other processes.
         */
        void onMet(Life life);

        /** Peers know of a start of this rank of generation {@code generation}, not before this process. */
        void onStale(long generation, String text);

        /** A later start of this rank answers its peers. */
        void onReplaced(String text);

        /** Peers have lost this process, and go on without it. */
        void onLost(String text);
    }
}
