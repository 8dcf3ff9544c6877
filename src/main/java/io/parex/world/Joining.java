package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Membership;
import io.parex.protocol.Overlay;
import io.parex.transport.Network;
import io.parex.transport.OwnerLoop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How a rank comes to know that all others are there: tells its two neighbours in the ring of ranks which lives it
 * knows, and passes on what is news. It has joined when it knows a life of every rank. That a rank was started again is
 * told to the ranks at distance 2^k as well, so that it gets past ranks that are lost.
 *
 * <p>A process that hears while it starts that another start of its own rank is lost, or does not answer, takes the
 * generation after that; one that hears of a later one after it has joined has been replaced. Owner loop only, but for
 * what says otherwise.
 */
final class Joining {
    private static final System.Logger LOG = System.getLogger(Joining.class.getName());

    private final RankCore core;
    private final Network network;
    private final WorldOptions options;
    private final Membership membership;
    private final int[] neighbours;
    private final int[] overlay;
    private final CompletableFuture<Void> joined = new CompletableFuture<>();
    private final long deadlineNanos;
    private volatile int[] missing;
    private volatile String waiting = "";
    private OwnerLoop.Timer timer;
    private long nextLineNanos;
    private int raises;
    private boolean taken;

    /** A life of every rank is known. */
    private boolean complete;

    Joining(RankCore core, int size, WorldOptions options, Network network) {
        this.core = core;
        this.network = network;
        this.options = options;
        this.membership = network.membership();
        this.overlay = Overlay.neighbours(core.rank(), size);
        this.neighbours = IntStream.of(core.rank() + 1, core.rank() + size - 1)
                .map(rank -> rank % size)
                .filter(rank -> rank != core.rank())
                .distinct()
                .toArray();
        this.deadlineNanos = core.loop().nanoTime() + options.startTimeout().toNanos();
        missing = membership.missing();
        if (membership.isComplete()) {
            complete = true;
            joined.complete(null);
        }
    }

    /** Completes when all ranks are known; fails with kind {@code unavailable} at the start timeout. Any thread. */
    CompletableFuture<Void> joined() {
        return joined;
    }

    /** Ranks of which nothing is known yet, or for whose word this one waits. Any thread. */
    int[] missing() {
        return missing;
    }

    /** Begins to look for the others. */
    void start() {
        if (!joined.isDone()) {
            tell(membership.lives(), -1);
            long first =
                    Math.min(Limits.FIRST_WAIT_LINE_NANOS, options.warnAfter().toNanos());
            nextLineNanos = core.loop().nanoTime() + first;
            watch();
        }
    }

    /** No longer of interest. */
    void stop() {
        fail("rank " + core.rank() + " has left the world");
    }

    /** Will not join any more. */
    void fail(String why) {
        if (timer != null) {
            timer.cancel();
        }
        joined.completeExceptionally(ParexException.refused(ErrorKind.UNAVAILABLE, why));
    }

    /** A peer tells what it knows. */
    void told(int from, List<Life> lives) {
        // Whoever says something has taken the connection, and this process for its rank.
        taken = true;
        List<Life> news = new ArrayList<>();
        for (Life life : lives) {
            if (life.rank() == core.rank()) {
                toldOfSelf(from, life);
            } else if (learn(life)) {
                news.add(life);
            }
        }
        learned(news, from);
    }

    /** A process has greeted, or is lost, that is this life of its rank. */
    void met(Life life) {
        if (learn(life)) {
            learned(List.of(life), life.rank());
        }
    }

    private boolean learn(Life life) {
        Life before = membership.life(life.rank());
        boolean isExpected = before.generation() > 0 || membership.isLost(life.rank());
        boolean another = isExpected && !before.isSameProcess(life);
        if (membership.learn(life)) {
            if (another) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "rank {0}: rank {1} was started again, generation {2}",
                        Integer.toString(core.rank()),
                        Integer.toString(life.rank()),
                        Long.toString(life.generation()));
                core.replaced(life);
            }
            return true;
        }
        if (another && before.generation() == life.generation()) {
            // Neither may know of the other.
            core.peers().confront(life);
        }
        return false;
    }

    private void learned(List<Life> news, int from) {
        tell(news, from);
        core.losses().look();
        if (complete) {
            core.groups().open().forEach(GroupEpochs::lookAtLives);
        } else if (taken && membership.isComplete()) {
            complete = true;
            core.groups().open().forEach(GroupEpochs::joined);
        } else {
            missing = membership.missing();
        }
    }

    /** Callers may come when no group waits for others any more. */
    void settle() {
        if (!complete || joined.isDone()) {
            return;
        }
        missing = core.groups().open().stream()
                .filter(group -> !group.isSettled())
                .flatMapToInt(GroupEpochs::unsettled)
                .distinct()
                .sorted()
                .toArray();
        if (core.groups().open().stream().allMatch(GroupEpochs::isSettled)) {
            if (timer != null) {
                timer.cancel();
            }
            joined.complete(null);
        }
    }

    private boolean isOver() {
        return complete || joined.isDone();
    }

    private void toldOfSelf(int from, Life life) {
        Life mine = membership.life(core.rank());
        if (mine.isSameProcess(life) || life.generation() < mine.generation()) {
            return;
        }
        if (!isOver()) {
            // It may live; if it does not, whoever has lost it says so too.
            return;
        }
        if (life.isAfter(mine)) {
            core.lose("another process was started as this rank, generation " + life.generation());
        } else {
            core.peer(from).send(new Frame.Lives(List.of(mine)));
        }
    }

    /** Another process of this rank is lost. */
    void otherLost(Life life) {
        Life mine = membership.life(core.rank());
        if (!isOver() && life.generation() >= mine.generation()) {
            raise(life.generation() + 1);
        }
    }

    /** A peer knows of a start of this rank of generation {@code generation}, not before this one. */
    void stale(long generation, String text) {
        if (isOver()) {
            core.lose(text);
        } else {
            raise(generation + 1);
        }
    }

    /** A later start of this rank answers a peer; one that begins waits for that to end. */
    void replaced(String text) {
        if (isOver()) {
            core.lose(text);
        }
    }

    /** Whether a rank is next to this one in the ring of ranks. */
    boolean isNeighbour(int peer) {
        return Arrays.stream(neighbours).anyMatch(each -> each == peer);
    }

    private void raise(long generation) {
        if (++raises > Limits.RAISES) {
            core.lose("other processes are started as this rank again and again, the last of them of generation "
                    + (generation - 1));
            return;
        }
        LOG.log(
                System.Logger.Level.INFO,
                "rank {0} was started before: this is generation {1}",
                Integer.toString(core.rank()),
                Long.toString(generation));
        Life mine = membership.life(core.rank()).of(generation);
        membership.learn(mine);
        learned(List.of(mine), -1);
    }

    /** A peer is another process than before, which knows nothing. */
    void tellAll(int peer) {
        tell(peer, membership.lives());
    }

    private void tell(List<Life> news, int except) {
        List<Life> restarts =
                news.stream().filter(life -> life.generation() > 1).toList();
        for (int peer : overlay) {
            if (peer != except) {
                tell(peer, isNeighbour(peer) ? news : restarts);
            }
        }
    }

    private void tell(int peer, List<Life> lives) {
        for (int from = 0; from < lives.size(); from += Limits.LIVES_PER_FRAME) {
            int to = Math.min(lives.size(), from + Limits.LIVES_PER_FRAME);
            core.peer(peer).send(new Frame.Lives(lives.subList(from, to)));
        }
    }

    /** For whom this rank waits and why it does not reach them, in words; empty if it waits for none. Any thread. */
    String waiting() {
        return joined.isDone() ? "" : waiting;
    }

    private void watch() {
        long now = core.loop().nanoTime();
        long next = Math.min(Limits.LOOK_NANOS, deadlineNanos - now);
        timer = core.loop().schedule(Math.max(0, next), () -> {
            waiting = "ranks " + Arrays.toString(missing) + trouble();
            String text = "rank " + core.rank() + " of world " + options.name() + " waits for " + waiting;
            long nanos = core.loop().nanoTime();
            if (nanos >= deadlineNanos) {
                joined.completeExceptionally(ParexException.refused(
                        ErrorKind.UNAVAILABLE,
                        "start timeout of " + options.startTimeout().toSeconds() + " s: " + text));
                return;
            }
            if (nanos >= nextLineNanos) {
                LOG.log(System.Logger.Level.INFO, text);
                nextLineNanos = nanos + options.warnAfter().toNanos();
            }
            watch();
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
