package io.parex.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Handshake;
import io.parex.protocol.wire.HandshakeEncoder;
import io.parex.protocol.wire.HandshakeReader;
import io.parex.protocol.wire.WireException;
import io.parex.protocol.wire.WireLimits;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A connection of which nothing is known yet: reads the one message of the other side, for a limited time, and at most
 * as many bytes as it can have.
 */
final class Newcomer extends ChannelInboundHandlerAdapter {
    /** How long the other side may take for its message. */
    static final Duration DEADLINE = Duration.ofSeconds(5);

    /** What becomes of it. */
    interface Outcome {
        /** The message of the other side; the newcomer does not read on. */
        void said(Newcomer newcomer, Handshake message);

        /** There will be none, or, {@code otherVersion}, one of a version without a word in common; it is closed. */
        void failed(Newcomer newcomer, boolean otherVersion, String why);
    }

    private final Channel channel;
    private final Outcome outcome;
    private final HandshakeReader reader = new HandshakeReader();
    private final ScheduledFuture<?> deadline;
    private ByteBuf rest = Unpooled.EMPTY_BUFFER;
    private boolean over;

    /** Takes the channel over. */
    Newcomer(Channel channel, Outcome outcome) {
        this.channel = channel;
        this.outcome = outcome;
        this.deadline = channel.eventLoop()
                .schedule(
                        () -> fail(
                                false, "no handshake within " + DEADLINE.toSeconds() + " s, only " + reader.received()),
                        DEADLINE.toMillis(),
                        TimeUnit.MILLISECONDS);
        channel.pipeline().addFirst(this);
    }

    Channel channel() {
        return channel;
    }

    /** Sends this side's message. */
    void say(Handshake message) {
        byte[] bytes = new byte[WireLimits.HANDSHAKE_BYTES];
        int length = HandshakeEncoder.encode(message, MemorySegment.ofArray(bytes), 0);
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes, 0, length));
    }

    /** Sends this side's message and closes the connection when it is sent. */
    void sayAndClose(Handshake message) {
        say(message);
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> channel.close());
    }

    /** The connection becomes that of a link, which reads on. */
    TcpCarrier promote(PeerLink link) {
        TcpCarrier carrier = new TcpCarrier(channel, link, rest);
        rest = Unpooled.EMPTY_BUFFER;
        channel.pipeline().replace(this, null, carrier);
        return carrier;
    }

    /** Ends it without an outcome. */
    void close() {
        over = true;
        deadline.cancel(false);
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (over) {
            // One read may have been under way when reading was stopped.
            rest = Unpooled.wrappedBuffer(rest, bytes);
            return;
        }
        try {
            Handshake said = reader.feed(MemorySegment.ofBuffer(bytes.nioBuffer()));
            if (said == null) {
                bytes.release();
                return;
            }
            over = true;
            deadline.cancel(false);
            channel.config().setAutoRead(false);
            rest = bytes.skipBytes(reader.consumed());
            outcome.said(this, said);
        } catch (WireException e) {
            bytes.release();
            fail(e.kind() == WireException.Kind.VERSION, e.getMessage());
        }
    }

    private void fail(boolean otherVersion, String why) {
        if (!over) {
            over = true;
            deadline.cancel(false);
            channel.close();
            outcome.failed(this, otherVersion, why);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        fail(false, Sockets.reason(failure));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        fail(false, "the other side hung up after " + reader.received());
        rest.release();
        context.fireChannelInactive();
    }
}
