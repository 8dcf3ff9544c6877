package io.parex.transport.tcp;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * The socket on which connections arrive. It accepts on the loop that owns the ranks: when {@link #close} has run there
 * nothing is accepted any more. A server of Vert.x accepts on a loop of its own and, while it closes, goes on for a
 * moment without anybody to take the connections, each of which is logged with a trace.
 */
final class Acceptor {
    private static final int BACKLOG = 1024;

    private final ContextInternal context;
    private final TcpOptions options;
    private final Consumer<Channel> taker;
    private Channel server;
    private volatile int port;

    /**
     * One that does not listen yet.
     *
     * @param context on whose loop the sockets live
     * @param taker of connections, on that loop
     */
    Acceptor(ContextInternal context, TcpOptions options, Consumer<Channel> taker) {
        this.context = context;
        this.options = options;
        this.taker = taker;
    }

    /** Begins to listen. Owner loop only. */
    Future<Void> listen() {
        Promise<InetAddress> address = context.promise();
        context.owner().resolveAddress(options.host(), address);
        return address.future().compose(this::bind);
    }

    private Future<Void> bind(InetAddress host) {
        VertxInternal vertx = context.owner();
        Promise<Void> bound = context.promise();
        new ServerBootstrap()
                .group(context.nettyEventLoop())
                .channelFactory(vertx.transport().serverChannelFactory(false))
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        taker.accept(channel);
                    }
                })
                .bind(new InetSocketAddress(host, options.port()))
                .addListener((ChannelFuture done) -> {
                    if (done.isSuccess()) {
                        server = done.channel();
                        port = ((InetSocketAddress) server.localAddress()).getPort();
                        bound.complete();
                    } else {
                        bound.fail(done.cause());
                    }
                });
        return bound.future();
    }

    /** The port that is listened on, once it is. Any thread. */
    int port() {
        return port;
    }

    /** Takes no more connections from now on. Owner loop only. */
    void close() {
        if (server != null) {
            server.close();
        }
    }
}
