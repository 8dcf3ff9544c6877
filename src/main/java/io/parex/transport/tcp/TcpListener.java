package io.parex.transport.tcp;

import io.netty.channel.Channel;
import io.parex.protocol.wire.Handshake;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The one port on which a process takes connections of other ranks. Whoever does not greet like one is refused, with a
 * reason in the log and a count, and costs no more than a few kilobytes for a few seconds.
 */
final class TcpListener implements Newcomer.Outcome {
    /** Connections that have not greeted yet; more are closed at once. */
    private static final int NEWCOMERS = 1024;

    private final TcpOptions options;
    private final Map<Integer, TcpPort> ports;
    private final Acceptor acceptor;
    private final Strangers strangers = new Strangers();
    private final Set<Newcomer> newcomers = new HashSet<>();

    TcpListener(ContextInternal context, TcpOptions options, Map<Integer, TcpPort> ports) {
        this.options = options;
        this.ports = ports;
        this.acceptor = new Acceptor(context, options, this::connected);
    }

    /** Begins; on the loop on which the sockets are to live. */
    Future<Void> listen() {
        return acceptor.listen();
    }

    int port() {
        return acceptor.port();
    }

    Map<String, Long> refused() {
        return strangers.counts();
    }

    /** Takes no more connections. */
    void stop() {
        acceptor.close();
        newcomers.forEach(Newcomer::close);
    }

    private void connected(Channel channel) {
        if (newcomers.size() >= NEWCOMERS) {
            strangers.refused(
                    channel.remoteAddress(), RejectReason.BUSY, NEWCOMERS + " others have not said who they are");
            channel.close();
            return;
        }
        Sockets.prepare(channel);
        newcomers.add(new Newcomer(channel, this));
    }

    @Override
    public void said(Newcomer newcomer, Handshake message) {
        newcomers.remove(newcomer);
        if (!(message instanceof Hello hello)) {
            strangers.refused(
                    newcomer.channel().remoteAddress(), RejectReason.NOT_OUR_PROTOCOL, "begins with a refusal");
            newcomer.close();
            return;
        }
        Reject refusal = Admission.refusal(hello, options, ports.keySet());
        if (refusal != null) {
            strangers.refused(newcomer.channel().remoteAddress(), refusal.reason(), refusal.text());
            newcomer.sayAndClose(refusal);
            return;
        }
        TcpPort port = ports.get(hello.to());
        if (!port.isTaken()) {
            newcomer.sayAndClose(new Reject(RejectReason.NOT_READY, "rank " + hello.to() + " is starting"));
            return;
        }
        welcome(newcomer, hello, port);
    }

    private void welcome(Newcomer newcomer, Hello hello, TcpPort port) {
        Reject refusal = port.links().offered(hello);
        if (refusal != null) {
            if (refusal.reason() == RejectReason.DUPLICATE_RANK) {
                strangers.refused(newcomer.channel().remoteAddress(), refusal.reason(), refusal.text());
            }
            newcomer.sayAndClose(refusal);
            return;
        }
        newcomer.say(port.hello(hello.from(), hello.connection(), hello.lane()));
        port.links().accepted(newcomer.promote(port.links().link(hello.from())), hello);
    }

    @Override
    public void failed(Newcomer newcomer, boolean otherVersion, String why) {
        newcomers.remove(newcomer);
        RejectReason reason = otherVersion ? RejectReason.VERSION : RejectReason.NOT_OUR_PROTOCOL;
        strangers.refused(newcomer.channel().remoteAddress(), reason, why);
    }
}
