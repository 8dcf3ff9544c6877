package io.parex.transport.shared;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.PeerCredentials;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * The rank's end of a client's socket: reads the greeting, then the doorbell. The greeting is "PAREXSM1" and the id of
 * a session; the answer one byte with the descriptor of the rings, or '!' and a text that says why not.
 */
final class Visitor extends SimpleChannelInboundHandler<ByteBuf> {
    private static final byte[] MAGIC = "PAREXSM1".getBytes(StandardCharsets.US_ASCII);
    /** A UUID in its usual form. */
    private static final int ID_BYTES = 36;

    private static final int GREETING_BYTES = MAGIC.length + ID_BYTES;
    private static final long GREETING_SECONDS = 5;

    private final SharedDoor door;
    private final ByteBuf greeting = Unpooled.buffer(GREETING_BYTES, GREETING_BYTES);
    private Future<?> deadline;
    private SharedLine line;

    Visitor(SharedDoor door) {
        this.door = door;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws IOException {
        Channel channel = context.channel();
        PeerCredentials peer = ((EpollDomainSocketChannel) channel).peerCredentials();
        if (!door.isWelcome(peer.uid())) {
            refuse(channel, "user " + peer.uid() + " is not one that this rank shares memory with");
            channel.close();
            return;
        }
        deadline = channel.eventLoop()
                .schedule(
                        () -> {
                            refuse(channel, "no greeting within " + GREETING_SECONDS + " s");
                            channel.close();
                        },
                        GREETING_SECONDS,
                        TimeUnit.SECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
        if (line != null) {
            // How often it rang does not matter.
            line.rung();
            return;
        }
        if (bytes.readableBytes() > greeting.writableBytes()) {
            turnAway(context.channel(), "a greeting of more than " + GREETING_BYTES + " bytes");
            return;
        }
        greeting.writeBytes(bytes);
        if (greeting.isWritable()) {
            return;
        }
        deadline.cancel(false);
        byte[] told = ByteBufUtil.getBytes(greeting);
        if (!new String(told, 0, MAGIC.length, StandardCharsets.US_ASCII)
                .equals(new String(MAGIC, StandardCharsets.US_ASCII))) {
            turnAway(context.channel(), "a greeting of another protocol");
            return;
        }
        String id = new String(told, MAGIC.length, ID_BYTES, StandardCharsets.US_ASCII);
        line = door.welcome(context.channel(), id);
    }

    private void turnAway(Channel channel, String why) {
        deadline.cancel(false);
        refuse(channel, why);
        channel.close();
    }

    /** Says why; closes nothing. */
    static void refuse(Channel channel, String why) {
        channel.writeAndFlush(Unpooled.copiedBuffer('!' + why, StandardCharsets.UTF_8));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (deadline != null) {
            deadline.cancel(false);
        }
        door.left(context.channel());
        if (line != null) {
            line.closed();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A socket that breaks is a client that has gone.
        context.close();
    }
}
