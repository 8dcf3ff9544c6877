package io.parex.transport.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import io.parex.protocol.link.Carrier;
import io.parex.protocol.link.PeerLink;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A connection that has shaken hands: hands what arrives to the link straight from the buffer it was read into, and
 * writes the memory of tensors without copying it.
 */
final class TcpCarrier extends ChannelInboundHandlerAdapter implements Carrier {
    private final Channel channel;
    private final PeerLink link;
    private ByteBuf early;
    private boolean started;
    private boolean detached;
    private boolean gathers;
    private String cause = "closed by the peer";

    /**
     * A carrier for a channel that does not read until {@link #start}.
     *
     * @param early what has been read after the handshake; released by the carrier
     */
    TcpCarrier(Channel channel, PeerLink link, ByteBuf early) {
        this.channel = channel;
        this.link = link;
        this.early = early;
    }

    @Override
    public void start() {
        // Not within the call that attaches the link, which may be in the middle of something.
        channel.eventLoop().execute(() -> {
            started = true;
            ByteBuf first = early;
            early = null;
            if (detached) {
                first.release();
                link.detached(this, cause);
                return;
            }
            read(first);
            link.turnOver(this);
            channel.config().setAutoRead(true);
        });
    }

    @Override
    public void write(MemorySegment bytes) {
        int length = (int) bytes.byteSize();
        ByteBuf copy = channel.alloc().directBuffer(length, length);
        copy.writeBytes(bytes.asByteBuffer());
        channel.write(copy, channel.voidPromise());
    }

    @Override
    public void write(MemorySegment bytes, Runnable written) {
        if (!bytes.isNative()) {
            // The operating system cannot read what the garbage collector may move.
            write(bytes);
            channel.eventLoop().execute(written);
            return;
        }
        channel.write(Unpooled.wrappedBuffer(bytes.asByteBuffer())).addListener(done -> written.run());
        if (!gathers) {
            gathers = true;
            letGather();
        }
    }

    /**
     * Netty writes several buffers by one system call up to a size that it takes from the socket when it makes it, 32
     * KiB for one that is not connected yet, and raises when so many bytes were written that way: which never happens
     * where a single payload is larger and nothing follows it. Something without bytes follows the first one.
     */
    private void letGather() {
        channel.write(Unpooled.EMPTY_BUFFER, channel.voidPromise());
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public String farEnd() {
        return channel.remoteAddress() == null ? "" : Sockets.text(channel.remoteAddress());
    }

    @Override
    public void flush() {
        channel.flush();
    }

    @Override
    public void close() {
        cause = "closed here";
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        if (started) {
            read(bytes);
        } else {
            // One read may have been under way when reading was stopped.
            early = Unpooled.wrappedBuffer(early, bytes);
        }
    }

    private void read(ByteBuf bytes) {
        try {
            for (ByteBuffer part : bytes.nioBuffers()) {
                if (part.hasRemaining()) {
                    link.arrived(this, MemorySegment.ofBuffer(part));
                }
            }
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (started) {
            link.turnOver(this);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (channel.isWritable()) {
            link.writable(this);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        cause = Sockets.reason(failure);
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        // What was written and not sent has been let go of by now.
        detached = true;
        if (early != null && !started) {
            ReferenceCountUtil.release(early);
            early = Unpooled.EMPTY_BUFFER;
        }
        link.detached(this, cause);
        context.fireChannelInactive();
    }
}
