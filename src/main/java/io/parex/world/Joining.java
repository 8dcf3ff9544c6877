package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How a rank comes to know that all others are there: tells its two neighbours in the ring of ranks which lives it
 * knows, and passes on what is news. It has joined when it knows a life of every rank. Owner loop only, but for what
 * says otherwise.
 */
final class Joining {
    private static final System.Logger LOG = System.getLogger(Joining.class.getName());

    private final RankCore core;
    private final Network network;
    private final WorldOptions options;
    private final Membership membership;
    private final int[] neighbours;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final long deadlineNanos;
    private volatile int[] missing;
    private OwnerLoop.Timer timer;

    Joining(RankCore core, int size, WorldOptions options, Network network) {
        this.core = core;
        this.network = network;
        this.options = options;
        this.membership = new Membership(size);
        this.neighbours = IntStream.of(core.rank() + 1, core.rank() + size - 1)
                .map(rank -> rank % size)
                .filter(rank -> rank != core.rank())
                .distinct()
                .toArray();
        this.deadlineNanos = core.loop().nanoTime() + options.startTimeout().toNanos();
        membership.learn(network.lives());
        missing = membership.missing();
        if (membership.isComplete()) {
            joined.complete(null);
        }
    }

    /** Completes when all ranks are known; fails with kind {@code unavailable} at the start timeout. Any thread. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Ranks of which nothing is known yet. Any thread. */
    int[] missing() {
        return missing;
    }

    /** Begins to look for the others. */
    void start() {
        if (!joined.isDone()) {
            tell(membership.lives(), -1);
            watch();
        }
    }

    /** No longer of interest. */
    void stop() {
        if (timer != null) {
            timer.cancel();
        }
        joined.completeExceptionally(
                ParexException.refused(ErrorKind.UNAVAILABLE, "rank " + core.rank() + " has left the world"));
    }

    /** A neighbour tells what it knows. */
    void told(int from, List<Life> lives) {
        List<Life> news = membership.learn(lives);
        if (news.isEmpty()) {
            return;
        }
        missing = membership.missing();
        tell(news, from);
        if (membership.isComplete() && !joined.isDone()) {
            if (timer != null) {
                timer.cancel();
            }
            joined.complete(null);
        }
    }

    private void tell(List<Life> news, int except) {
        for (int neighbour : neighbours) {
            if (neighbour != except) {
                for (int from = 0; from < news.size(); from += Limits.LIVES_PER_FRAME) {
                    int to = Math.min(news.size(), from + Limits.LIVES_PER_FRAME);
                    core.peer(neighbour).send(new Frame.Lives(news.subList(from, to)));
                }
            }
        }
    }

    private void watch() {
        long now = core.loop().nanoTime();
        long next = Math.min(options.warnAfter().toNanos(), deadlineNanos - now);
        timer = core.loop().schedule(Math.max(0, next), () -> {
            String waiting = "rank " + core.rank() + " of world " + options.name() + " waits for ranks "
                    + Arrays.toString(missing) + trouble();
            if (core.loop().nanoTime() >= deadlineNanos) {
                joined.completeExceptionally(ParexException.refused(
                        ErrorKind.UNAVAILABLE,
                        "start timeout of " + options.startTimeout().toSeconds() + " s: " + waiting));
            } else {
                LOG.log(System.Logger.Level.INFO, waiting);
                watch();
            }
        });
    }

    private String trouble() {
        String trouble = Arrays.stream(neighbours)
                .filter(rank -> Arrays.stream(missing).anyMatch(each -> each == rank))
                .mapToObj(rank -> "rank " + rank + ": " + network.trouble(rank))
                .collect(Collectors.joining("; "));
        return trouble.isEmpty() ? "" : " (" + trouble + ")";
    }
}
