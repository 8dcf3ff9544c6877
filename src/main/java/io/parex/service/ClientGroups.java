package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.ProcessGroup;
import io.parex.world.World;
import io.smallrye.mutiny.Uni;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The groups that clients have created, and who keeps them open: sessions, with whose end they are closed, and those
 * who have named none, who close them. Any thread; its lock is held for handing over, so that the rank hears of
 * creations and ends in order.
 */
final class ClientGroups {
    /** Keeps a group open that was created for no session. */
    private static final String NO_SESSION = "";

    private record Key(World world, String name) {}

    private record Kept(List<Integer> members, CompletableFuture<ProcessGroup> group, Set<String> keepers) {}

    private final Map<Key, Kept> groups = new HashMap<>();
    private final Set<String> sessions = new HashSet<>();

    /** A session may keep groups open. */
    synchronized void opened(String session) {
        sessions.add(session);
    }

    /**
     * Creates a group, or keeps one open that was created alike.
     *
     * @param session that is open, or empty
     * @throws ParexException if there is no such session
     */
    synchronized Uni<ProcessGroup> create(World world, String name, List<Integer> members, String session) {
        requireOpen(session);
        Key key = new Key(world, name);
        Kept kept = groups.get(key);
        if (kept != null && !kept.members().equals(members)) {
            throw ParexException.refused(
                    ErrorKind.ARGUMENT,
                    "a group " + name + " of ranks " + kept.members() + " of the world is open on rank " + world.rank()
                            + ", not of ranks " + members
                            + "; close it first or take another name; nothing was created");
        }
        if (kept == null) {
            kept = new Kept(members, world.newGroup(name, members).subscribeAsCompletionStage(), new HashSet<>());
            Kept fresh = kept;
            groups.put(key, fresh);
            fresh.group().whenComplete((group, failure) -> {
                if (failure != null) {
                    forget(key, fresh);
                }
            });
        }
        kept.keepers().add(session);
        return Uni.createFrom().completionStage(kept.group().copy());
    }

    private synchronized void forget(Key key, Kept kept) {
        groups.remove(key, kept);
    }

    private void requireOpen(String session) {
        if (!session.equals(NO_SESSION) && !sessions.contains(session)) {
            throw ParexException.argument("there is no session of the id '" + session + "'");
        }
    }

    /**
     * Closes a group, if nobody else keeps it open.
     *
     * @throws ParexException if it was not created so
     */
    synchronized Uni<Void> close(World world, String name, String session) {
        requireOpen(session);
        Key key = new Key(world, name);
        Kept kept = groups.get(key);
        if (kept == null || !kept.keepers().contains(session)) {
            throw ParexException.argument("rank " + world.rank() + " has no group '" + name + "' that was created "
                    + (session.equals(NO_SESSION) ? "for no session" : "for this session"));
        }
        return Uni.createFrom().completionStage(letGo(key, kept, session));
    }

    /** A session keeps no groups open any more. */
    synchronized void ended(String session) {
        sessions.remove(session);
        List.copyOf(groups.entrySet()).stream()
                .filter(each -> each.getValue().keepers().contains(session))
                .forEach(each -> letGo(each.getKey(), each.getValue(), session));
    }

    private CompletableFuture<Void> letGo(Key key, Kept kept, String session) {
        kept.keepers().remove(session);
        if (!kept.keepers().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        groups.remove(key, kept);
        return kept.group().thenCompose(group -> group.close().subscribeAsCompletionStage());
    }
}
