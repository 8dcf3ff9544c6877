package io.parex.service;

import io.parex.ParexException;
import io.parex.world.ProcessGroup;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Keeps two clients of one rank from mixing their collectives on one group. Ranks match collectives by their order, and
 * two clients have none between them; if all calls of both have names, a mix is at least found. A recovery of the group
 * lets all out, for their calls have ended. Any thread; its lock is held for a look into a map.
 */
final class CollectiveGate {
    /** What a party has made since it came in. */
    private static final class Stay {
        final Set<CallPlan> calls = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean anyUnnamed;

        boolean hasUnnamed() {
            return anyUnnamed || calls.stream().anyMatch(CollectiveGate::isUnnamed);
        }
    }

    private final Map<ProcessGroup, Map<Party, Stay>> parties = new HashMap<>();

    private static boolean isUnnamed(CallPlan plan) {
        return plan.options().name().isEmpty();
    }

    /**
     * Lets {@code party} in for the call of {@code plan}.
     *
     * @throws ParexException if another party is in and not all calls of both are named
     */
    synchronized void enter(Party party, CallPlan plan) {
        parties.keySet().removeIf(ProcessGroup::isOver);
        Map<Party, Stay> inside = parties.computeIfAbsent(plan.group(), group -> new HashMap<>());
        inside.forEach((other, stay) -> {
            if (other != party && (isUnnamed(plan) || stay.hasUnnamed())) {
                throw ParexException.argument("rank " + plan.rank() + ": " + other + " makes collectives on group "
                        + plan.group().name() + "; " + party + " may do so too only if both name all their calls, for"
                        + " their order is not defined; nothing was started");
            }
        });
        Stay stay = inside.computeIfAbsent(party, key -> new Stay());
        if (party.isLasting()) {
            stay.anyUnnamed |= isUnnamed(plan);
        } else {
            stay.calls.add(plan);
        }
    }

    /** The call of {@code plan} has ended: so has a party that does not last and has no other. */
    synchronized void leave(Party party, CallPlan plan) {
        Map<Party, Stay> inside = parties.get(plan.group());
        if (inside != null && !party.isLasting()) {
            inside.computeIfPresent(
                    party, (key, stay) -> stay.calls.remove(plan) && stay.calls.isEmpty() ? null : stay);
        }
    }

    /** {@code party} is gone. */
    synchronized void leave(Party party) {
        parties.values().forEach(inside -> inside.remove(party));
    }
}
