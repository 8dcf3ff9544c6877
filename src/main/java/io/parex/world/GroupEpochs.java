package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Durations;
import io.parex.protocol.Failure;
import io.parex.protocol.Life;
import io.parex.protocol.Standing;
import java.util.ArrayList;
import java.util.List;
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
    private final Words words;
    private final Lineage lineage;
    private final MemberLives lives;
    private volatile Epoch present;
    private volatile long epoch;
    private Recovery running;

    /** The last round in which this rank said something. */
    private long said;

    /** A recovery was called for: callers may count from where it has left the group. */
    private boolean asked;

    private volatile boolean closed;

    /** It was created before a member was started again, and nobody here has called anything on it. */
    private boolean carried;

    private GroupEpochs(RankCore core, String name, long key, int[] members, Lineage lineage, Standings standings) {
        this.core = core;
        this.name = name;
        this.key = key;
        this.members = members;
        this.rank = IntStream.range(0, members.length)
                .filter(member -> members[member] == core.rank())
                .findFirst()
                .orElseThrow();
        this.standings = standings;
        this.words = new Words(core, key, rank, members);
        this.lineage = lineage;
        this.lives = new MemberLives(core.membership(), members);
    }

    /** The group of all ranks of the world, of which not all need be known yet: see {@link #joined}. */
    static GroupEpochs ofAll(RankCore core, String name, long key, int size) {
        int[] ranks = IntStream.range(0, size).toArray();
        GroupEpochs all = new GroupEpochs(core, name, key, ranks, null, new Standings(core.membership(), ranks));
        all.present = all.first(all.core(key), 0);
        return all;
    }

    /**
     * A group that is created now, in its first epoch.
     *
     * @param key what it is called in all its epochs
     * @param members world ranks, this one among them
     */
    static GroupEpochs create(RankCore core, String name, long key, int[] members, Lineage lineage) {
        Standings standings = new Standings(core.membership(), members);
        GroupEpochs created = new GroupEpochs(core, name, key, members, lineage, standings);
        created.lives.look();
        created.epoch = created.standings.epoch();
        created.present = created.first(created.core(created.nextIdentity()), created.epoch);
        return created;
    }

    private Epoch first(GroupCore group, long number) {
        return new Epoch(group, number, 0, new Epoch.Start(number, 0), lives.placement());
    }

    private GroupCore core(long id) {
        return new GroupCore(core, name, id, rank, members, new CallLog(0, 0));
    }

    /** What the group is called in the first epoch of its present processes. */
    private long nextIdentity() {
        return lineage.next(standings.identity(key, 0));
    }

    /** World ranks. */
    int[] members() {
        return members.clone();
    }

    /** Whether this rank is no member any more. Any thread. */
    boolean isClosed() {
        return closed;
    }

    /** Of members that were started again others may know what this rank has not heard, as it was not a member yet. */
    void introduce() {
        if (!lives.again().isEmpty()) {
            words.spread(List.of(mine(said)), -1);
        }
    }

    /**
     * This rank is no member any more.
     *
     * @return whether it is over; not if it was created before a member was started again: that one takes the next to
     *     be created here for this, which goes on as that, {@link #again}
     */
    boolean close() {
        closed = true;
        if (carried && isUntouched()) {
            return false;
        }
        giveUp(ErrorKind.LEFT, "has ended, as the group was closed");
        current().close();
        return true;
    }

    /** A group that was closed, and was not over, is created again. */
    GroupEpochs again() {
        GroupEpochs again = new GroupEpochs(core, name, key, members, lineage, standings);
        again.lives.look();
        again.epoch = epoch;
        again.present = present;
        return again;
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
        lives.look();
        epoch = standings.epoch();
        present = first(current(), epoch);
        if (!lives.again().isEmpty()) {
            end("ranks " + lives.again() + " of group " + name + " were started again");
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

    /** Nobody begins anything any more that what is in flight may wait for. */
    private void end(String why) {
        current().outdate(why + "; call recover on every member, then decide from where to go on");
        current().failAll(ErrorKind.ABORTED, why);
    }

    /** The view has changed: a member was started again, or takes another generation. */
    void lookAtLives() {
        if (!lives.areKnown()) {
            return;
        }
        epoch = standings.epoch();
        List<Life> news = lives.look();
        if (!news.isEmpty() && isUntouched()) {
            beginWithOthers();
            return;
        }
        for (Life life : news) {
            end("rank " + current().groupRank(life.rank()) + " of group " + name + " was started again (generation "
                    + life.generation() + ")");
        }
        if (!news.isEmpty() && (said <= present.round() || standings.of(rank).epoch() != epoch)) {
            // What others have heard was said in another view, or has led to the epoch that ends now.
            say(Math.max(said, present.round()) + 1);
        }
        goOn();
    }

    /** Whether it was created, and nothing has come of it yet that a caller here could know of. */
    private boolean isUntouched() {
        return lineage != null
                && said == 0
                && stage() == Standing.Stage.UNUSED
                && !current().isRetired();
    }

    /** The group as it is created where the present processes of all its members are known from the first. */
    private void beginWithOthers() {
        carried = true;
        current().retire("group " + name + " begins again");
        present = new Epoch(core(nextIdentity()), epoch, 0, present.since(), lives.placement());
        core.began(present.group());
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
        return standings.isAwaited(said, Standing.Stage.READY)
                ? standings.missing(said)
                : "all members have called recover, and connections to former processes of ranks "
                        + core.peers().unreached(members) + " have not ended";
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
        Standing mine = mine(round);
        standings.learn(mine);
        words.spread(List.of(mine), -1);
    }

    private Standing mine(long round) {
        Life self = core.membership().life(core.rank());
        return new Standing(
                rank,
                self.generation(),
                self.nonce(),
                round,
                standings.epoch(),
                stage(),
                current().nextCall(),
                current().completedCalls());
    }

    /** There is a link to a process that was started again, and that has not heard what was said before. */
    void renewed(int worldRank) {
        words.renewed(worldRank, standings.all());
        if (lives.areKnown()) {
            goOn();
        }
    }

    /** A neighbour says where members stand. */
    void heard(int worldRank, List<Standing> said) {
        List<Standing> news = new ArrayList<>(said.size());
        int teller = current().groupRank(worldRank);
        for (Standing standing : said) {
            if (standing.member() == teller && standing.round() < this.said) {
                // It was not a member yet when this rank said more.
                words.tell(teller, standings.all());
            }
            if (standing.member() != rank && standings.learn(standing)) {
                news.add(standing);
            }
        }
        if (news.isEmpty()) {
            return;
        }
        words.spread(news, teller);
        if (lives.areKnown()) {
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
                    && core.peers().unreached(members).isEmpty()
                    && !standings.isAwaited(said, stage)) {
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
        long id = standings.identity(key, said);
        if (lineage != null) {
            lineage.recovered(standings.identity(key, 0), id);
        }
        GroupCore group = new GroupCore(core, name, id, rank, members, log);
        Epoch.Start since = running == null ? present.since() : new Epoch.Start(epoch, said);
        present = new Epoch(group, epoch, said, since, lives.placement());
        core.began(group);
        if (running != null) {
            end().succeed(Recovered.of(epoch, said, next, ready));
        }
    }
}
