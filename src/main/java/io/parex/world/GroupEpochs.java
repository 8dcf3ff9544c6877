package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Overlay;
import io.parex.protocol.Standing;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The epochs of one group on one rank. An epoch ends when a member was started again or begins a recovery: from then on
 * calls are refused, until all members have called {@link #recover}, each with its earlier calls ended: each says so,
 * and others pass it on from neighbour to neighbour. Calls of the next epoch are numbered from the largest number of
 * any. Owner loop only, but for what says otherwise.
 *
 * <p>Recoveries go in rounds. A member that hears of a later round than that in which it waits goes over to it, so that
 * all come together in the last; a round has come to its end for whoever has heard that all are ready in it. A member
 * that gives up says something of the next round, which takes everybody out of the one in which others may have heard
 * that it was ready: no member goes on with another that does not.
 *
 * <p>Members that have called nothing on the group yet, all of them, need no recovery: when a rank is started again
 * while a world begins, each says that it has called nothing, and takes no calls until all have said so in one round.
 * One that has ends that: then it is for the callers to recover.
 */
final class GroupEpochs {
    private final RankCore core;
    private final String name;
    private final long key;
    private final int rank;
    private final int[] members;
    private final Standings standings;
    private volatile Epoch present;
    private volatile long epoch;
    private Life[] lives;
    private Recovery running;

    /** The last round in which this rank said something. */
    private long said;

    /** A recovery was called for: callers may count from where it has left the group. */
    private boolean asked;

    /**
     * The group in its first epoch.
     *
     * @param key what the group is called in all its epochs, and in the first one
     * @param members world ranks
     */
    GroupEpochs(RankCore core, String name, long key, int rank, int[] members) {
        this.core = core;
        this.name = name;
        this.key = key;
        this.rank = rank;
        this.members = members;
        this.standings = new Standings(core.membership(), members);
        this.present = first(new GroupCore(core, name, key, rank, members, new CallLog(0, 0)), 0);
    }

    private static Epoch first(GroupCore group, long number) {
        return new Epoch(group, number, 0, new Epoch.Start(number, 0));
    }

    /** The group in its present epoch, or in the last one before a recovery that has not ended. Any thread. */
    GroupCore current() {
        return present.group();
    }

    /** The same, and the recovery with which it began. Any thread. */
    Epoch present() {
        return present;
    }

    long key() {
        return key;
    }

    /** Sum of the generations of all members, as they are known; 0 until all are. Any thread. */
    long epoch() {
        return epoch;
    }

    /** All members are known. In a world in which none was started again all begin in the first epoch. */
    void joined() {
        lives = livesNow();
        epoch = standings.epoch();
        present = first(current(), epoch);
        int[] again = IntStream.range(0, members.length)
                .filter(member -> lives[member].generation() > 1)
                .toArray();
        if (again.length > 0) {
            end("ranks " + Arrays.toString(again) + " of group " + name + " were started again");
            say(said + 1);
        }
        goOn();
    }

    /** Whether this rank has nothing to wait for before its callers may come. */
    boolean isSettled() {
        return current().outdated() == null || stage() != Standing.Stage.UNUSED || standings.anyUsed();
    }

    /** The members for which {@link #isSettled} waits, as world ranks. */
    IntStream unsettled() {
        return standings.awaited(said, Standing.Stage.UNUSED).stream().mapToInt(member -> members[member]);
    }

    private Life[] livesNow() {
        return Arrays.stream(members).mapToObj(core.membership()::life).toArray(Life[]::new);
    }

    /** Nobody begins anything any more that what is in flight may wait for. */
    private void end(String why) {
        current().outdate(why + "; call recover on every member, then decide from where to go on");
        current().failAll(ErrorKind.ABORTED, why);
    }

    /** The view has changed: a member was started again, or takes another generation. */
    void lookAtLives() {
        if (lives == null) {
            return;
        }
        epoch = standings.epoch();
        Life[] now = livesNow();
        boolean hasChanged = false;
        for (int member = 0; member < members.length; member++) {
            if (!now[member].equals(lives[member])) {
                hasChanged = true;
                end("rank " + member + " of group " + name + " was started again (generation "
                        + now[member].generation() + ")");
            }
        }
        lives = now;
        if (hasChanged && (said <= present.round() || standings.of(rank).epoch() != epoch)) {
            // What others have heard was said in another view, or has led to the epoch that ends now.
            say(Math.max(said, present.round()) + 1);
        }
        goOn();
    }

    /**
     * Takes part in a recovery; the calls in flight end first.
     *
     * @param ended runs once, with the outcome or a failure
     * @return for {@link #giveUp(Recovery)}
     */
    Recovery recover(long timeoutNanos, Recovery.Ended ended) {
        if (running != null) {
            Recovery refused = new Recovery(ended, () -> {});
            refused.fail(new Failure(
                    ErrorKind.ARGUMENT,
                    rank,
                    "group " + name + " is being recovered already on rank " + rank
                            + "; that recovery goes on, and this one was not begun"));
            return refused;
        }
        current().retire("rank " + rank + " recovers group " + name);
        Recovery mine = new Recovery(
                ended,
                core.loop()
                        .schedule(
                                timeoutNanos,
                                () -> giveUp(ErrorKind.TIMEOUT, "timed out after " + Durations.words(timeoutNanos))));
        running = mine;
        asked = true;
        say(Math.max(said, present.round()) + 1);
        goOn();
        return mine;
    }

    /** Its caller does not wait any more; nothing happens if it has ended. */
    void giveUp(Recovery recovery) {
        if (recovery != null && running == recovery) {
            giveUp(ErrorKind.CANCELLED, "was given up by its caller");
        }
    }

    /** Ends a recovery that runs; the others hear of it. */
    void giveUp(ErrorKind kind, String why) {
        if (running != null) {
            Recovery failed = end();
            String missing = missing();
            say(said + 1);
            failed.fail(new Failure(
                    kind,
                    rank,
                    "recovery of group " + name + " on rank " + rank + " " + why + ": " + missing
                            + "; calls are refused until a recovery succeeds"));
        }
    }

    private Recovery end() {
        Recovery ended = running;
        running = null;
        ended.stop();
        return ended;
    }

    private String missing() {
        List<Integer> awaited = standings.awaited(said, Standing.Stage.READY);
        if (awaited.isEmpty()) {
            return "all members have called recover, and connections to former processes of ranks " + unreached()
                    + " have not ended";
        }
        String lost = awaited.stream()
                .filter(member -> core.membership().isLost(members[member]))
                .map(member -> "rank " + member + " is lost and not started again")
                .collect(Collectors.joining("; "));
        return "missing=" + awaited + " have not called recover" + (lost.isEmpty() ? "" : " (" + lost + ")");
    }

    /** Members whose link leads to a process of before, whose connection has not ended yet. */
    private List<Integer> unreached() {
        return IntStream.range(0, members.length)
                .filter(member -> !core.peers().reaches(members[member]))
                .boxed()
                .toList();
    }

    private Standing.Stage stage() {
        if (running != null) {
            return Standing.Stage.READY;
        }
        return asked || current().isUsed() ? Standing.Stage.OUT : Standing.Stage.UNUSED;
    }

    private void say(long round) {
        said = round;
        Standing.Stage stage = stage();
        if (stage == Standing.Stage.UNUSED) {
            current().retire("group " + name + " begins again");
        }
        Life self = core.membership().life(core.rank());
        Standing mine = new Standing(
                rank,
                self.generation(),
                self.nonce(),
                round,
                standings.epoch(),
                stage,
                current().nextCall(),
                current().completedCalls());
        standings.learn(mine);
        spread(List.of(mine), -1);
    }

    private void spread(List<Standing> news, int except) {
        for (int neighbour : Overlay.neighbours(rank, members.length)) {
            if (neighbour != except) {
                tell(neighbour, news);
            }
        }
    }

    private void tell(int member, List<Standing> news) {
        for (int from = 0; from < news.size(); from += Limits.STANDINGS_PER_FRAME) {
            int to = Math.min(news.size(), from + Limits.STANDINGS_PER_FRAME);
            core.peer(members[member]).send(new Frame.Recover(key, news.subList(from, to)));
        }
    }

    /** There is a link to a process that was started again, and that has not heard what was said before. */
    void renewed(int worldRank) {
        for (int neighbour : Overlay.neighbours(rank, members.length)) {
            if (members[neighbour] == worldRank) {
                tell(neighbour, standings.all());
            }
        }
        if (lives != null) {
            goOn();
        }
    }

    /** A neighbour says where members stand. */
    void heard(int worldRank, List<Standing> said) {
        List<Standing> news = new ArrayList<>(said.size());
        for (Standing standing : said) {
            if (standing.member() != rank && standings.learn(standing)) {
                news.add(standing);
            }
        }
        if (news.isEmpty()) {
            return;
        }
        spread(news, current().has(worldRank) ? current().groupRank(worldRank) : -1);
        if (lives != null) {
            goOn();
        }
    }

    /** Something was said, or the view has changed. */
    private void goOn() {
        if (running == null) {
            endIfOthersRecover();
        }
        Standing.Stage stage = stage();
        if (stage != Standing.Stage.OUT) {
            if (standings.lastRound() > said) {
                say(standings.lastRound());
            }
            // What is said in the new epoch must not go to processes of before.
            if (said > present.round()
                    && unreached().isEmpty()
                    && standings.awaited(said, stage).isEmpty()) {
                begin();
            }
        }
        core.joining().settle();
    }

    private void endIfOthersRecover() {
        List<Integer> others = standings.beyond(Math.max(present.round(), said));
        if (!others.isEmpty() && !current().isRetired()) {
            end("ranks " + others + " recover group " + name);
        }
    }

    /** All are ready, or have called nothing. */
    private void begin() {
        List<Standing> ready = standings.all();
        long next = ready.stream().mapToLong(Standing::nextCall).max().orElseThrow();
        CallLog log = new CallLog(next, current().completedCalls());
        GroupCore group = new GroupCore(core, name, standings.identity(key, said), rank, members, log);
        Epoch.Start since = running == null ? present.since() : new Epoch.Start(epoch, said);
        present = new Epoch(group, epoch, said, since);
        core.began(group);
        if (running != null) {
            end().succeed(new Recovered(epoch, said, next, members(ready)));
        }
    }

    private List<Recovered.Member> members(List<Standing> ready) {
        return ready.stream()
                .map(each ->
                        new Recovered.Member(each.member(), lives[each.member()].generation(), each.completed() - 1))
                .toList();
    }
}
