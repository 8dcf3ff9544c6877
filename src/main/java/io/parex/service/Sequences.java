package io.parex.service;

import io.parex.v1.CallHeader;
import io.parex.world.ProcessGroup;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sequences that numbered plain RPCs belong to, by the name that their client gave; a recovery of the group ends
 * them, and they begin anew. Any thread.
 */
final class Sequences {
    private record Key(ProcessGroup group, String name) {}

    private final Map<Key, CallOrder> orders = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, CallOrder> eldest) {
            return size() > EdgeLimits.SEQUENCES_REMEMBERED;
        }
    };

    /**
     * The order that a plain RPC takes its place in; a call without a number is a sequence of its own.
     *
     * @param group up to its next recovery
     */
    synchronized CallOrder of(ProcessGroup group, CallHeader header, String caller) {
        if (!header.hasCallNumber()) {
            return new CallOrder(Party.rpc(caller));
        }
        Key key = new Key(group, header.getSession());
        CallOrder known = orders.get(key);
        if (known != null) {
            return known;
        }
        orders.keySet().removeIf(other -> other.group.isOver());
        CallOrder fresh = new CallOrder(Party.rpc("session '" + key.name + "'"));
        orders.put(key, fresh);
        return fresh;
    }
}
