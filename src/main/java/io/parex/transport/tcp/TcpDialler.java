package io.parex.transport.tcp;

import io.netty.channel.Channel;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Handshake;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.transport.OwnerLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.NetSocketInternal;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.List;

/** Opens connections to ranks of other processes: every address of the peer in turn, then the handshake. */
final class TcpDialler {
    private static final int CONNECT_MILLIS = 2_000;

    private final Context context;
    private final OwnerLoop loop;
    private final TcpOptions options;
    private final PeerAddresses addresses;
    private final NetClient client;

    TcpDialler(Vertx vertx, Context context, OwnerLoop loop, TcpOptions options, PeerAddresses addresses) {
        this.context = context;
        this.loop = loop;
        this.options = options;
        this.addresses = addresses;
        this.client = vertx.createNetClient(
                new NetClientOptions().setConnectTimeout(CONNECT_MILLIS).setTcpNoDelay(true));
    }

    /** Dials for a rank of this process. Owner loop only. */
    void dial(TcpPort port, PeerLink link, long connection) {
        Attempt attempt = new Attempt(port, link, connection);
        addresses
                .of(link.peer())
                .subscribe()
                .with(
                        found -> loop.execute(() -> attempt.connect(found, 0, true)),
                        failure -> loop.execute(() ->
                                link.dialFailed(false, addresses.describe(link.peer()) + ": " + failure.getMessage())));
    }

    private final class Attempt implements Newcomer.Outcome {
        private final TcpPort port;
        private final PeerLink link;
        private final long connection;
        private String where;

        Attempt(TcpPort port, PeerLink link, long connection) {
            this.port = port;
            this.link = link;
            this.connection = connection;
        }

        private void connect(List<InetSocketAddress> found, int index, boolean allRefused) {
            InetSocketAddress address = found.get(index);
            where = addresses.describe(link.peer()) + " at " + Sockets.text(address);
            // On the owner's context, so that the socket lives on the owner's loop.
            context.runOnContext(any -> client.connect(SocketAddress.inetSocketAddress(
                            address.getPort(), address.getAddress().getHostAddress()))
                    .onComplete(result -> {
                        if (result.succeeded()) {
                            greet(((NetSocketInternal) result.result())
                                    .channelHandlerContext()
                                    .channel());
                            return;
                        }
                        boolean refused = allRefused && result.cause() instanceof ConnectException;
                        if (index + 1 < found.size()) {
                            connect(found, index + 1, refused);
                        } else {
                            link.dialFailed(
                                    refused, where + ": " + result.cause().getMessage());
                        }
                    }));
        }

        private void greet(Channel channel) {
            Sockets.prepare(channel);
            Newcomer newcomer = new Newcomer(channel, this);
            newcomer.say(hello());
        }

        private Hello hello() {
            return port.hello(link.peer(), connection, 0);
        }

        @Override
        public void said(Newcomer newcomer, Handshake message) {
            switch (message) {
                case Reject reject -> {
                    newcomer.close();
                    port.links().rejected(link, reject);
                }
                case Hello answer -> {
                    String wrong = Admission.differences(answer, hello());
                    if (wrong == null) {
                        wrong = port.links().answered(link, answer);
                    }
                    if (wrong != null) {
                        newcomer.close();
                        link.dialFailed(false, where + ": another than the rank meant answers: " + wrong);
                    } else {
                        link.dialled(newcomer.promote(link), answer);
                    }
                }
            }
        }

        @Override
        public void failed(Newcomer newcomer, String why) {
            link.dialFailed(false, where + ": " + why);
        }
    }
}
