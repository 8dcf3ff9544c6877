package io.parex.transport.tcp;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.NetUtil;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** Settings of the sockets between ranks. */
final class Sockets {
    /** Bytes of one read: as many as a frame's payload and header, so that a full frame takes one or two. */
    private static final int READ_BYTES = 128 << 10;

    /** Bytes not handed to the kernel above which nothing more is written, so that control frames do not wait long. */
    private static final int HIGH_WATER = 256 << 10;

    private static final int LOW_WATER = 128 << 10;

    /** The same for what the kernel has not sent. */
    private static final long NOT_SENT_LOW_WATER = 256 << 10;

    private static final Pattern CALL_FAILED = Pattern.compile("^\\w+\\(\\.\\.\\) failed( with error\\(-?\\d+\\))?: ");

    private Sockets() {}

    static void prepare(Channel channel) {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(LOW_WATER, HIGH_WATER));
        channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
        channel.config().setOption(ChannelOption.TCP_NODELAY, true);
        if (channel instanceof EpollSocketChannel) {
            channel.config().setOption(EpollChannelOption.TCP_NOTSENT_LOWAT, NOT_SENT_LOW_WATER);
        }
    }

    /** An address as text, with IPv6 in brackets. */
    static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress internet && internet.getAddress() != null) {
            String host = NetUtil.toAddressString(internet.getAddress());
            boolean zoned = internet.getAddress() instanceof Inet6Address six && six.getScopeId() != 0;
            return text(zoned ? internet.getAddress().getHostAddress() : host, internet.getPort());
        }
        return address instanceof InetSocketAddress named
                ? text(named.getHostString(), named.getPort())
                : String.valueOf(address);
    }

    /** The address that {@link #text} gives as this; empty if there is none. */
    static Optional<InetSocketAddress> parse(String text) {
        int colon = text.lastIndexOf(':');
        String host = colon > 0 ? text.substring(0, colon) : "";
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            boolean isLiteral = NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
            return host.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            isLiteral
                                    ? new InetSocketAddress(host, port)
                                    : InetSocketAddress.createUnresolved(host, port));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** The same of its parts. */
    static String text(String host, int port) {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    /** What the system says of a failure, without the name of its call, which the native transport puts before it. */
    static String reason(Throwable failure) {
        return CALL_FAILED.matcher(String.valueOf(failure.getMessage())).replaceFirst("");
    }
}
