package io.parex.discovery;

import io.netty.handler.codec.dns.DnsRecordType;
import io.vertx.core.Future;
import io.vertx.core.impl.ContextInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Finds the addresses of a name as the C library does: the hosts file, then each name of the search list, both families
 * at once, each asked of one server after the other. One event loop only.
 */
final class HostLookup {
    private final ContextInternal context;
    private final ResolverOptions options;
    private final DnsTransport transport;
    /** The server that answered last is asked first: one that is down costs its timeout once. */
    private int preferred;

    HostLookup(ContextInternal context, ResolverOptions options) {
        this.context = context;
        this.options = options;
        this.transport = new DnsTransport(context, options);
    }

    Future<Answer> find(ResolverSetup setup, String name) {
        List<InetAddress> hosts = setup.hosts(name, options.family(), options.first());
        if (!hosts.isEmpty()) {
            return Future.succeededFuture(Answer.found(hosts, 0));
        }
        List<String> names = setup.candidates(name);
        return search(setup.servers(), names, new SearchResult(names.size()));
    }

    /**
     * Asks for one name after the other. A server that fails ends the search: the next name could be found, and be that
     * of another host.
     */
    private Future<Answer> search(List<InetSocketAddress> servers, List<String> names, SearchResult soFar) {
        String name = names.getFirst();
        return both(servers, name).compose(answer -> {
            if (answer.isFound()) {
                return Future.succeededFuture(answer);
            }
            soFar.add(name, answer);
            return answer.isAbsent() && names.size() > 1
                    ? search(servers, names.subList(1, names.size()), soFar)
                    : Future.succeededFuture(soFar.verdict());
        });
    }

    private Future<Answer> both(List<InetSocketAddress> servers, String name) {
        return switch (options.family()) {
            case IPV4 -> one(servers, name, DnsRecordType.A);
            case IPV6 -> one(servers, name, DnsRecordType.AAAA);
            case ANY -> {
                Future<Answer> four = one(servers, name, DnsRecordType.A);
                Future<Answer> six = one(servers, name, DnsRecordType.AAAA);
                yield options.first() == AddressFamily.IPV6
                        ? FamilyRace.of(context, options.grace(), six, four)
                        : FamilyRace.of(context, options.grace(), four, six);
            }
        };
    }

    private Future<Answer> one(List<InetSocketAddress> servers, String name, DnsRecordType type) {
        int attempts = Math.max(options.tries(), servers.size());
        return attempt(servers, name, type, preferred, attempts).map(this::withFamily);
    }

    private Future<Answer> attempt(
            List<InetSocketAddress> servers, String name, DnsRecordType type, int turn, int attempts) {
        int index = turn % servers.size();
        return transport.ask(servers.get(index), name, type).compose(answer -> {
            if (answer.outcome().isDefinite()) {
                preferred = index;
                return Future.succeededFuture(answer);
            }
            return attempts == 1
                    ? Future.succeededFuture(answer)
                    : attempt(servers, name, type, index + 1, attempts - 1);
        });
    }

    /** A name without an address may well have one of the family that the settings rule out. */
    private Answer withFamily(Answer answer) {
        return answer.outcome() == Outcome.NO_ADDRESS && options.family() != AddressFamily.ANY
                ? Answer.without(
                        Outcome.NO_ADDRESS,
                        "parex.address-family asks for " + options.family().text() + " only")
                : answer;
    }
}
