package io.parex.transport.tcp;

import io.netty.channel.Channel;
import io.parex.protocol.link.LinkPhase;
import io.parex.protocol.link.PeerLink;
import io.parex.protocol.wire.Handshake;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import io.parex.transport.OwnerLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.NetSocketInternal;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Opens connections to ranks of other processes: every address of the peer in turn, until one shakes hands. First comes
 * where the peer's process says that it listens, then where it is to be looked for: it may have been started again
 * elsewhere than that.
 */
final class TcpDialler {
    /** How long an address has for an answer of any kind. */
    private static final Duration CONNECT = Duration.ofSeconds(2);

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
        this.client = vertx.createNetClient(new NetClientOptions()
                .setConnectTimeout((int) CONNECT.toMillis())
                .setTcpNoDelay(true));
    }

    /** Dials for a rank of this process. Owner loop only. */
    void dial(TcpPort port, PeerLink link, long connection) {
        new Attempt(port, link, connection).next();
    }

    private final class Attempt implements Newcomer.Outcome {
        private final TcpPort port;
        private final PeerLink link;
        private final long connection;
        private final Set<String> tried = new HashSet<>();

        /** What was wrong with the addresses tried so far. */
        private final List<String> causes = new ArrayList<>();

        private Iterator<InetSocketAddress> left;
        private boolean lookedUp;
        private boolean allRefused = true;
        private String address;

        Attempt(TcpPort port, PeerLink link, long connection) {
            this.port = port;
            this.link = link;
            this.connection = connection;
            this.left = Sockets.parse(port.placeOf(link.peer())).stream().iterator();
        }

        /** Tries the next address, or says why none was any good. */
        void next() {
            // A link that has ended needs no connection, and the process may be closing.
            if (link.phase() == LinkPhase.ENDED || lookedUp && !left.hasNext()) {
                link.dialFailed(allRefused, causes());
            } else if (left.hasNext()) {
                connect(left.next());
            } else {
                lookUp();
            }
        }

        private void lookUp() {
            lookedUp = true;
            addresses
                    .of(link.peer())
                    .subscribe()
                    .with(
                            found -> loop.execute(() -> {
                                left = found.stream()
                                        .filter(each -> !tried.contains(Sockets.text(each)))
                                        .iterator();
                                next();
                            }),
                            failure -> loop.execute(
                                    () -> fail(false, addresses.describe(link.peer()) + ": " + failure.getMessage())));
        }

        private void connect(InetSocketAddress target) {
            address = Sockets.text(target);
            tried.add(address);
            String host = target.isUnresolved()
                    ? target.getHostString()
                    : target.getAddress().getHostAddress();
            // On the owner's context, so that the socket lives on the owner's loop.
            context.runOnContext(any -> client.connect(SocketAddress.inetSocketAddress(target.getPort(), host))
                    .onComplete(result -> {
                        if (result.succeeded()) {
                            greet(((NetSocketInternal) result.result())
                                    .channelHandlerContext()
                                    .channel());
                        } else {
                            ConnectFailure failure = ConnectFailure.of(address, CONNECT, result.cause());
                            fail(failure.refused(), failure.text());
                        }
                    }));
        }

        private void fail(boolean refused, String cause) {
            allRefused &= refused;
            causes.add(cause);
            next();
        }

        private String causes() {
            String all = String.join("; ", causes);
            String where = addresses.describe(link.peer());
            // A list of addresses is its own description.
            return all.contains(where) ? all : where + ": " + all;
        }

        private void greet(Channel channel) {
            if (!channel.isOpen()) {
                // The process has begun to end while the connection was made.
                fail(false, "at " + address + ": closed here");
                return;
            }
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
                    if (!isOfPeer(reject.reason()) || !port.links().rejected(link, reject)) {
                        fail(false, "at " + address + ": refused: " + reject.text());
                    }
                }
                case Hello answer -> {
                    String wrong = Admission.differences(answer, hello());
                    if (wrong == null) {
                        wrong = port.links().answered(link, answer);
                    }
                    if (wrong != null) {
                        newcomer.close();
                        fail(false, "at " + address + ": " + wrong);
                    } else {
                        link.dialled(newcomer.promote(link), answer);
                    }
                }
            }
        }

        /** Whether the rank itself refuses; else there is another process in its place. */
        private static boolean isOfPeer(RejectReason reason) {
            return switch (reason) {
                case OTHER, DUPLICATE_RANK, STALE, NOT_READY, BUSY, LOST -> true;
                case NOT_OUR_PROTOCOL, VERSION, WORLD_NAME, WORLD_SIZE, RANK, COSTS -> false;
            };
        }

        @Override
        public void failed(Newcomer newcomer, boolean otherVersion, String why) {
            fail(false, "at " + address + ": " + why);
        }
    }
}
