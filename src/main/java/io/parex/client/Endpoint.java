package io.parex.client;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.parex.ParexException;
import java.util.regex.Pattern;

/**
 * A way to a rank.
 *
 * @param channel the connection, made when first used
 * @param ownLoop event loop to shut down with it, null if it uses gRPC's own
 */
record Endpoint(ManagedChannel channel, EventLoopGroup ownLoop) implements AutoCloseable {
    private static final String UNIX = "unix:";

    /** A name, or an address, in brackets if it has colons; and a port from 1 to 65535. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("([^\\s:\\[\\]/]+|\\[[0-9A-Fa-f:.%\\w]+])"
            + ":0*([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])");

    /** So much may be on its way to the client unread: enough for 1 GB/s at 4 ms. */
    private static final int FLOW_CONTROL_WINDOW = 4 << 20;

    /** Parses {@code host:port} or {@code unix:/path}. */
    static Endpoint of(String text) {
        if (text.startsWith(UNIX)) {
            EventLoopGroup loop = new EpollEventLoopGroup(1, new DefaultThreadFactory("parex-client", true));
            NettyChannelBuilder builder = NettyChannelBuilder.forAddress(
                            new DomainSocketAddress(text.substring(UNIX.length())))
                    .eventLoopGroup(loop)
                    .channelType(EpollDomainSocketChannel.class, DomainSocketAddress.class)
                    // The name of a path is no host name; servers refuse it in the request.
                    .overrideAuthority("localhost");
            return new Endpoint(build(builder), loop);
        }
        if (!HOST_AND_PORT.matcher(text).matches()) {
            throw ParexException.argument("the endpoint '" + text + "' is neither host:port nor unix:/path");
        }
        return new Endpoint(build(NettyChannelBuilder.forTarget("dns:///" + text)), null);
    }

    private static ManagedChannel build(NettyChannelBuilder builder) {
        return builder.usePlaintext()
                .flowControlWindow(FLOW_CONTROL_WINDOW)
                // A retry would keep messages, whose memory is the caller's, and could make a call twice.
                .disableRetry()
                // One thread for I/O and callbacks: a hand-over costs more than most of them do.
                .directExecutor()
                .build();
    }

    /** Ends the connection. Returns at once. */
    @Override
    public void close() {
        channel.shutdownNow();
        if (ownLoop != null) {
            ownLoop.shutdownGracefully();
        }
    }
}
