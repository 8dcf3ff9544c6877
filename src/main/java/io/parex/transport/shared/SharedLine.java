package io.parex.transport.shared;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.unix.FileDescriptor;
import io.parex.ParexException;
import java.util.Objects;

/**
 * A client on the other side of a Unix socket, and the rings between it and its rank. {@link #next}, {@link #write} and
 * what belongs to them are called by one thread at a time; which one does not matter.
 */
public final class SharedLine {
    private static final byte[] DOORBELL = {'.'};

    private final Channel channel;
    private volatile ControlRegion control;
    private volatile Runnable onRung = () -> {};
    private volatile Runnable onClosed = () -> {};

    /** The client of {@code channel}, without rings yet. */
    SharedLine(Channel channel) {
        this.channel = channel;
    }

    /**
     * Makes the rings, and hands them over to the client. Any thread, once; what it is given runs on the channel's
     * loop.
     *
     * @param rung the client has written, or has read what there was no room for
     * @param closed the socket has closed; may be told twice
     * @throws ParexException of kind {@code overloaded} if there is no memory for them
     */
    public void open(Runnable rung, Runnable closed) {
        control = new ControlRegion("parex-rings");
        onRung = Objects.requireNonNull(rung);
        onClosed = Objects.requireNonNull(closed);
        if (channel.isActive()) {
            hand(control.memory());
        } else {
            closed.run();
        }
    }

    /** Tells the client why it gets no rings, and closes. Any thread. */
    public void refuse(String why) {
        Visitor.refuse(channel, why);
        close();
    }

    void rung() {
        onRung.run();
    }

    void closed() {
        onClosed.run();
    }

    /** Gives the client a descriptor of {@code memory}: the next that it gets. Any thread. */
    public void hand(SealedMemory memory) {
        // Whatever the outcome: a socket that is broken says so by closing.
        channel.writeAndFlush(new FileDescriptor(memory.fd()));
    }

    /**
     * The client's next message, a copy of its own; null if there is none.
     *
     * @throws ParexException of kind {@code protocol} if the client has broken the ring
     */
    public byte[] next() {
        byte[] record = control.submissions().next();
        if (record != null) {
            wake();
        }
        return record;
    }

    /** True if there is nothing to read: then the client rings with its next message. False: there is something. */
    public boolean sleeps() {
        control.rankSleeps(true);
        if (control.submissions().isEmpty()) {
            return true;
        }
        control.rankSleeps(false);
        return false;
    }

    /** The client need not ring for now: it is read until {@link #sleeps}. */
    public void reads() {
        control.rankSleeps(false);
    }

    /**
     * Whether a message of {@code bytes} finds room; if not, the client rings when it has read.
     *
     * @throws ParexException of kind {@code protocol} if the client has broken the ring
     */
    public boolean takes(long bytes) {
        if (control.completions().takes(bytes)) {
            return true;
        }
        control.rankWantsRoom(true);
        if (!control.completions().takes(bytes)) {
            return false;
        }
        control.rankWantsRoom(false);
        return true;
    }

    /** Writes a message, for which there must be room, and wakes the client. */
    public void write(byte[] message) {
        control.completions().write(message);
        wake();
    }

    private void wake() {
        if (control.wakesClient()) {
            ByteBuf bell = Unpooled.wrappedBuffer(DOORBELL);
            channel.writeAndFlush(bell, channel.voidPromise());
        }
    }

    /**
     * Closes the socket after what was written to it, and gives the memory of the rings back. Nothing else of this may
     * be called afterwards. Any thread, once.
     */
    public void close() {
        if (channel.isOpen()) {
            channel.close().addListener((ChannelFutureListener) done -> giveBack());
        } else {
            // Its loop may have ended with it.
            giveBack();
        }
    }

    private void giveBack() {
        if (control != null) {
            control.memory().close();
        }
    }
}
