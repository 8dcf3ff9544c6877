package io.parex.service;

import io.parex.ParexException;
import io.parex.discovery.AddressFamily;
import io.parex.discovery.AdvertisedAddress;
import io.parex.discovery.Discovery;
import io.parex.discovery.DnsDiscovery;
import io.parex.discovery.Endpoint;
import io.parex.discovery.LocalHost;
import io.parex.discovery.NameResolver;
import io.parex.discovery.RankIdentity;
import io.parex.discovery.StaticDiscovery;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import io.parex.transport.tcp.PeerAddresses;
import io.parex.transport.tcp.PeerList;
import io.parex.transport.tcp.TcpFabric;
import io.parex.transport.tcp.TcpOptions;
import io.parex.world.LocalWorld;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jboss.logging.Logger;

/**
 * The part of a world of several processes that lives in this one: one rank, and the way to find the others. Any
 * thread.
 */
public final class Spread implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(Spread.class);
    private static final Duration LOOKUP = Duration.ofSeconds(5);

    /** How ranks find each other. */
    private enum Kind {
        STATIC,
        DNS,
        /** By whoever started all of them: {@code parex run} hands out the addresses. */
        LAUNCHER
    }

    private final TcpFabric fabric;
    private final PeerList handedOut;
    private final NameResolver resolver;
    private final LocalWorld world;

    private Spread(ParexConfig config, LinkCosts costs) {
        LocalHost host = LocalHost.read();
        int size = config.world().size();
        RankIdentity identity = identity(config, host.hostname());
        AddressFamily family = AddressFamily.parse(config.addressFamily());
        handedOut = new PeerList();
        Kind kind = kind(config);
        resolver = kind == Kind.LAUNCHER ? null : NameResolver.start(family, host);
        try {
            Discovery discovery = discovery(kind, config, host);
            PeerAddresses peers = discovery == null ? handedOut : new DiscoveredPeers(discovery);
            fabric = listen(options(config, family, host, costs), identity.rank(), peers);
            try {
                String known = discovery == null ? "" : advertise(config, host, discovery, identity.rank());
                LOG.infof(
                        "%s of %d of world %s listens for others on port %d%s",
                        identity, size, config.world().name(), fabric.port(), known);
            } catch (RuntimeException e) {
                fabric.close();
                throw e;
            }
        } catch (RuntimeException e) {
            closeResolver();
            throw e;
        }
        try {
            world = Settings.started(
                    () -> LocalWorld.join(fabric, List.of(identity.rank()), size, Settings.world(config, costs)));
        } catch (RuntimeException e) {
            fabric.close();
            closeResolver();
            throw e;
        }
    }

    /** Whether the configuration asks for ranks in other processes. */
    static boolean isAskedFor(ParexConfig config) {
        return kind(config) != null;
    }

    /** What joins the ranks: a launcher starts all on its host. */
    static LinkKind links(ParexConfig config) {
        Kind kind = kind(config);
        return kind == null ? LinkKind.MEMORY : kind == Kind.LAUNCHER ? LinkKind.LOOPBACK : LinkKind.NETWORK;
    }

    /**
     * Listens and begins to look for the other ranks.
     *
     * @throws ParexException naming the setting that is wrong, or if the port is taken; nothing runs then
     */
    static Spread start(ParexConfig config, LinkCosts costs) {
        return new Spread(config, costs);
    }

    private static Kind kind(ParexConfig config) {
        String asked =
                config.discovery().map(text -> text.toLowerCase(Locale.ROOT)).orElse("");
        Kind kind = switch (asked) {
            case "static" -> Kind.STATIC;
            case "dns" -> Kind.DNS;
            case "launcher" -> Kind.LAUNCHER;
            case "" ->
                config.peers().isPresent() ? Kind.STATIC : config.service().isPresent() ? Kind.DNS : null;
            default -> throw Setting.DISCOVERY.refusal(config.discovery().orElseThrow());
        };
        if (asked.isEmpty() && config.peers().isPresent() && config.service().isPresent()) {
            throw ParexException.argument(Setting.PEERS + " and " + Setting.SERVICE
                    + " are both set, and either says where the other ranks are: leave one out, or set "
                    + Setting.DISCOVERY);
        }
        if (kind == Kind.STATIC && config.peers().isEmpty()) {
            throw ParexException.argument(Setting.DISCOVERY + " is static and " + Setting.PEERS + " is not set");
        }
        if (kind == Kind.DNS && config.service().isEmpty()) {
            throw ParexException.argument(Setting.DISCOVERY + " is dns and " + Setting.SERVICE + " is not set");
        }
        return kind;
    }

    private static RankIdentity identity(ParexConfig config, String hostname) {
        Map<String, String> settings = config.rank().isPresent()
                ? Map.of(RankIdentity.SETTING, Integer.toString(config.rank().getAsInt()))
                : Map.of();
        return RankIdentity.of(
                settings, System.getenv(), hostname, config.world().size());
    }

    private Discovery discovery(Kind kind, ParexConfig config, LocalHost host) {
        int size = config.world().size();
        return switch (kind) {
            case STATIC -> StaticDiscovery.of(resolver, config.peers().orElseThrow(), size);
            case DNS ->
                DnsDiscovery.of(
                        resolver,
                        config.service().orElseThrow(),
                        config.statefulSet(),
                        host.hostname(),
                        size,
                        config.fabric().port());
            case LAUNCHER -> null;
        };
    }

    /** Says to others where this rank is; in words, for the log. */
    private String advertise(ParexConfig config, LocalHost host, Discovery discovery, int rank) {
        AdvertisedAddress advertised = advertised(config, host, discovery, rank);
        fabric.advertise(advertised.endpoint().toString());
        return ", known to others as " + advertised;
    }

    private AdvertisedAddress advertised(ParexConfig config, LocalHost host, Discovery discovery, int rank) {
        Optional<Endpoint> loopback =
                discovery instanceof StaticDiscovery list ? list.loopbackPeer(rank) : Optional.empty();
        // Only for a choice among this host's addresses: the start must not wait for a name server in vain.
        boolean chosen = config.advertise().isPresent() || loopback.isPresent();
        List<InetAddress> own = chosen ? List.of() : resolved(host.hostname());
        return AdvertisedAddress.choose(config.advertise(), loopback, host, own, resolver.family(), fabric.port());
    }

    /** Addresses of {@code name}; none if they are not found in time. */
    private List<InetAddress> resolved(String name) {
        return resolver.resolve(name)
                .ifNoItem()
                .after(LOOKUP)
                .fail()
                .onFailure()
                .recoverWithItem(List.of())
                .await()
                .indefinitely();
    }

    private static TcpFabric listen(TcpOptions options, int rank, PeerAddresses peers) {
        try {
            return TcpFabric.listen(options, List.of(rank), peers);
        } catch (ParexException e) {
            throw new ParexException(
                    e.kind(),
                    e.getMessage() + " (" + Setting.FABRIC_HOST.property() + ", " + Setting.FABRIC_PORT.property()
                            + "); nothing was started",
                    e);
        }
    }

    private static TcpOptions options(ParexConfig config, AddressFamily family, LocalHost host, LinkCosts costs) {
        // Where IPv6 is switched off there is no "::" to listen on, which elsewhere means both families.
        boolean onlyIpv4 =
                family == AddressFamily.IPV4 || host.addresses().stream().noneMatch(Inet6Address.class::isInstance);
        String everywhere = onlyIpv4 ? "0.0.0.0" : "::";
        return new TcpOptions(
                config.world().name(),
                config.world().size(),
                config.fabric().host().orElse(everywhere),
                config.fabric().port(),
                config.timeout().start(),
                config.timeout().peer(),
                costs.fingerprint(),
                config.scratch().maxBytes().asLongValue());
    }

    /** The rank. */
    LocalWorld world() {
        return world;
    }

    /** The port on which other ranks connect. */
    public int port() {
        return fabric.port();
    }

    /** What a launcher tells where all ranks are. */
    public PeerList handedOut() {
        return handedOut;
    }

    /** Ends the rank and everything that it needed. Waits; never on an event loop. */
    @Override
    public void close() {
        world.close();
        closeResolver();
    }

    private void closeResolver() {
        if (resolver != null) {
            resolver.close();
        }
    }
}
