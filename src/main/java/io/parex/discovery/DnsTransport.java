package io.parex.discovery;

import io.netty.buffer.ByteBuf;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsRawRecord;
import io.netty.handler.codec.dns.DnsRecord;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.handler.codec.dns.DnsSection;
import io.netty.resolver.HostsFileEntriesResolver;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverChannelStrategy;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.resolver.dns.SingletonDnsServerAddressStreamProvider;
import io.netty.util.NetUtil;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.spi.transport.Transport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * One question to one server and its answer, over UDP, or over TCP if the answer does not fit. Netty does the wire; of
 * its resolver only that is used: it gives a list of addresses without their time to live, waits for both families, and
 * blames a name for a server that is silent. One event loop only.
 */
final class DnsTransport {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    private final ContextInternal context;
    private final DnsNameResolver netty;
    private final Duration timeout;
    private final long maxTtlNanos;

    DnsTransport(ContextInternal context, ResolverOptions options) {
        this.context = context;
        this.timeout = options.queryTimeout();
        this.maxTtlNanos = options.maxTtl().toNanos();
        Transport transport = context.owner().transport();
        // The defaults read files and keep caches; questions name their server, so this provider is never asked.
        SingletonDnsServerAddressStreamProvider unused =
                new SingletonDnsServerAddressStreamProvider(new InetSocketAddress(NetUtil.LOCALHOST4, 53));
        this.netty = new DnsNameResolverBuilder(context.nettyEventLoop())
                .datagramChannelFactory(transport::datagramChannel)
                .socketChannelFactory(
                        () -> (SocketChannel) transport.channelFactory(false).newChannel())
                // A socket that lives only as long as its question: nothing is left open between them, no port can be
                // guessed, and a change of the network is seen.
                .datagramChannelStrategy(DnsNameResolverChannelStrategy.ChannelPerResolution)
                .nameServerProvider(unused)
                .queryServerAddressStream(unused.nameServerAddressStream(""))
                .hostsFileEntriesResolver(unusedHosts())
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .searchDomains(List.of())
                // Some forwarders refuse the extension, and answers about a pod are short.
                .optResourceEnabled(false)
                .queryTimeoutMillis(timeout.toMillis())
                .build();
    }

    private static HostsFileEntriesResolver unusedHosts() {
        return (name, types) -> null;
    }

    /** Asks; the future never fails for what a server or the network does. */
    Future<Answer> ask(InetSocketAddress server, String name, DnsRecordType type) {
        Promise<Answer> answer = context.promise();
        // Netty's own limit counts anew for TCP and does not cover the time to connect.
        long timer = context.owner()
                .setTimer(timeout.toMillis(), id -> answer.tryComplete(failed(Outcome.TIMED_OUT, server, "")));
        netty.query(server, new DefaultDnsQuestion(name, type)).addListener(done -> {
            context.owner().cancelTimer(timer);
            if (done.isSuccess()) {
                @SuppressWarnings("unchecked")
                AddressedEnvelope<DnsResponse, InetSocketAddress> envelope =
                        (AddressedEnvelope<DnsResponse, InetSocketAddress>) done.getNow();
                try {
                    answer.tryComplete(read(envelope.content(), server, type));
                } finally {
                    envelope.release();
                }
            } else if (done.cause() instanceof DnsNameResolverTimeoutException) {
                answer.tryComplete(failed(Outcome.TIMED_OUT, server, ""));
            } else {
                answer.tryComplete(failed(Outcome.UNREACHABLE, server, root(done.cause())));
            }
        });
        return answer.future();
    }

    private Answer failed(Outcome outcome, InetSocketAddress server, String why) {
        String who = NetUtil.toSocketAddressString(server);
        String detail = outcome == Outcome.TIMED_OUT
                ? "no answer from " + who + " within " + timeout.toMillis() + " ms"
                : who + ": " + why;
        return Answer.without(outcome, detail);
    }

    private static String root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }

    private Answer read(DnsResponse response, InetSocketAddress server, DnsRecordType type) {
        if (response.code().equals(DnsResponseCode.NXDOMAIN)) {
            return Answer.without(Outcome.NAME_NOT_FOUND, "");
        }
        if (!response.code().equals(DnsResponseCode.NOERROR)) {
            return failed(Outcome.REFUSED, server, response.code().toString().toUpperCase(Locale.ROOT));
        }
        List<InetAddress> addresses = new ArrayList<>();
        long ttlNanos = maxTtlNanos;
        for (int index = 0; index < response.count(DnsSection.ANSWER); index++) {
            DnsRecord record = response.recordAt(DnsSection.ANSWER, index);
            // Aliases on the way to the address count as well: they may change before it does.
            ttlNanos = Math.min(ttlNanos, TimeUnit.SECONDS.toNanos(record.timeToLive()));
            if (record.type().equals(type) && record instanceof DnsRawRecord raw) {
                addAddress(addresses, raw.content(), type);
            }
        }
        return addresses.isEmpty() ? Answer.without(Outcome.NO_ADDRESS, "") : Answer.found(addresses, ttlNanos);
    }

    private static void addAddress(List<InetAddress> addresses, ByteBuf content, DnsRecordType type) {
        int length = type.equals(DnsRecordType.A) ? IPV4_BYTES : IPV6_BYTES;
        if (content.readableBytes() != length) {
            return;
        }
        byte[] bytes = new byte[length];
        content.getBytes(content.readerIndex(), bytes);
        try {
            addresses.add(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new AssertionError("4 and 16 are the lengths of addresses", e);
        }
    }
}
