package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import io.parex.protocol.Overlay;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One group on one rank: numbers collective calls, holds what arrives before its call is made, compares descriptors,
 * and spreads failures. Ranks here are group ranks. Owner loop only.
 */
final class GroupCore {
    private final RankCore core;
    private final String name;
    private final long id;
    private final int rank;
    private final int[] members;
    private final CallLog log;
    private final EarlyFrames early = new EarlyFrames();
    private final Map<Long, CollectiveCall> running = new LinkedHashMap<>();
    private final Messages messages;
    private final Departures departures;
    private final WaitLog waitLog = new WaitLog(this);
    private final Presence presence;
    private final CallFrames callFrames = new CallFrames(this);
    private final LateFailure late = new LateFailure();
    private final FailureText failures;
    private volatile String outdated;
    private Ended ended;
    private boolean used;

    /**
     * A group in one of its epochs.
     *
     * @param id of this epoch
     * @param members world ranks
     */
    GroupCore(RankCore core, String name, long id, int rank, int[] members, CallLog log) {
        this.core = core;
        this.name = name;
        this.id = id;
        this.rank = rank;
        this.members = members;
        this.log = log;
        this.messages = new Messages(this);
        this.failures = new FailureText(name, rank, members);
        this.departures = new Departures(members.length);
        this.presence = new Presence(this);
    }

    RankCore core() {
        return core;
    }

    String name() {
        return name;
    }

    /** Its name, and its members where they are not all ranks in their order. */
    String title() {
        return failures.group();
    }

    long id() {
        return id;
    }

    int rank() {
        return rank;
    }

    int size() {
        return members.length;
    }

    Messages messages() {
        return messages;
    }

    Departures departures() {
        return departures;
    }

    /** What has come for calls that are not made yet. */
    EarlyFrames early() {
        return early;
    }

    /** The calls made so far. */
    CallLog log() {
        return log;
    }

    /** A call that has not ended; null if there is none of that number. */
    CollectiveCall running(long number) {
        return running.get(number);
    }

    /** Takes what members say of calls. */
    CallFrames callFrames() {
        return callFrames;
    }

    Presence presence() {
        return presence;
    }

    Peer peer(int groupRank) {
        return core.peer(members[groupRank]);
    }

    /** Why there is no connection to a member; empty if there is one. */
    String trouble(int groupRank) {
        return core.trouble(members[groupRank]);
    }

    void send(int groupRank, Frame frame) {
        peer(groupRank).send(frame);
    }

    int groupRank(int worldRank) {
        if (worldRank < members.length && members[worldRank] == worldRank) {
            return worldRank;
        }
        for (int i = 0; i < members.length; i++) {
            if (members[i] == worldRank) {
                return i;
            }
        }
        throw new IllegalArgumentException("rank " + worldRank + " is not in group " + name);
    }

    /** Makes a call. */
    void start(Submission submission) {
        if (outdated != null || submission.group() != this) {
            submission.refuse(
                    ErrorKind.ABORTED,
                    (outdated != null ? outdated : "group " + name + " was recovered since this call was made")
                            + "; the " + submission.call().primitive().label() + " was not started");
            return;
        }
        used = true;
        presence.called();
        if (submission.call().isPointToPoint()) {
            Parts.start(submission, messages);
        } else {
            collective(submission);
        }
    }

    private void collective(Submission submission) {
        Call call = submission.call();
        if (submission.refusalsSeen() != late.refusals()) {
            submission.refuse(
                    ErrorKind.ABORTED,
                    "a call before this one was refused without a number, which the caller could not know when it made"
                            + " this one; the " + call.primitive().label() + " on group " + name
                            + " was not started and may be called again, after the refused one");
            return;
        }
        if (late.isDue()) {
            late.refuse(submission, rank, name);
            return;
        }
        if (running.size() >= Limits.CALLS_IN_FLIGHT && submission.givenUp() == null) {
            // With its number, on all members: calls that are in line behind it keep their partners.
            submission.giveUp(new Failure(
                    ErrorKind.OVERLOADED,
                    rank,
                    running.size() + " calls of group " + name + " are in flight on rank " + rank + ", the limit"));
        }
        Plan plan = submission.plan();
        long number = log.called(plan.descriptor(), core.loop().nanoTime());
        submission.numbered(number, plan.descriptor().algorithm());
        CollectiveCall started = new CollectiveCall(this, number, submission);
        running.put(number, started);
        submission.work().carriedOutBy(started);
        if (failsFromTheStart(started)) {
            return;
        }
        waitLog.begun();
        started.start();
        early.takeAll(number).forEach(frame -> frame.run());
    }

    /** Calls refused without a number so far. Any thread. */
    int refusals() {
        return late.refusals();
    }

    /**
     * A failure that is known already, a caller that gives up, a member that has left, or a peer that disagreed before.
     * Nothing is sent then.
     */
    private boolean failsFromTheStart(CollectiveCall call) {
        Failure known = log.failure(call.number());
        if (known != null) {
            early.drop(call.number());
            call.failedWith(known);
            return true;
        }
        Failure certain =
                call.submission().givenUp() != null ? call.submission().givenUp() : departures.before(call.number());
        if (certain != null) {
            early.drop(call.number());
            failed(call.number(), certain);
            return true;
        }
        return early.descriptors(call.number()).stream()
                .anyMatch(seen -> disagrees(call.number(), call.descriptor(), seen));
    }

    /** Whether a member has shown another descriptor of a call than this rank's; it fails the call then. */
    boolean disagrees(long number, Descriptor mine, EarlyFrames.Seen theirs) {
        if (mine.equals(theirs.descriptor())) {
            return false;
        }
        early.drop(number);
        failed(number, new Failure(ErrorKind.MISMATCH, rank, theirs.mismatch(rank, mine)));
        return true;
    }

    /** A call has failed, here or elsewhere: the first word of it is passed on, once, and fails the call here. */
    void failed(long number, Failure failure) {
        if (!log.failed(number, failure)) {
            return;
        }
        for (int neighbour : Overlay.neighbours(rank, size())) {
            send(neighbour, new Frame.Fail(id, number, failure));
        }
        CollectiveCall call = running.get(number);
        if (call != null) {
            call.failedWith(failure);
        } else if (number < log.next()) {
            late.heard(number, failure);
        } else {
            early.drop(number);
        }
    }

    /** A call has ended here. */
    void ended(CollectiveCall call, Failure failure) {
        running.remove(call.number());
        log.ended(call.number(), failure == null, core.loop().nanoTime());
        call.submission().waited(call.waitNanos());
    }

    /** The message of a failed call. */
    String describe(long number, Descriptor descriptor, Failure failure) {
        return failures.text(number, descriptor, failure, outdated != null);
    }

    /** Ends everything that runs on the group. */
    void failAll(ErrorKind kind, String text) {
        for (Long number : running.keySet().stream().sorted().toList()) {
            failed(number, new Failure(kind, rank, text));
        }
        messages.failAll(kind, text);
    }

    /** This rank makes no more calls. */
    void leave() {
        for (int member = 0; member < size(); member++) {
            if (member != rank) {
                send(member, new Frame.Leave(id, log.next()));
            }
        }
    }

    /** A member makes no more calls than the first {@code nextCall}; calls beyond cannot succeed. */
    void left(int peer, long nextCall, ErrorKind kind, String how) {
        Failure failure = departures.left(peer, nextCall, kind, kind == ErrorKind.LEFT ? peer : rank, how);
        running.keySet().stream()
                .filter(number -> number >= nextCall)
                .sorted()
                .toList()
                .forEach(number -> failed(number, failure));
        messages.left(peer, failure);
    }

    /** A member that had left takes part again. */
    void returned(int peer) {
        departures.returned(peer);
        send(peer, new Frame.Rejoined(id, log.next()));
    }

    /**
     * Passes over the calls below {@code nextCall}, which failed on a member that made them while this rank was away:
     * it goes on with the next. Others hear of the failures as of any, for this rank may be on the way to them.
     */
    void rejoined(long nextCall) {
        while (log.next() < nextCall || log.failure(log.next()) != null) {
            failed(log.next(), new Failure(ErrorKind.LEFT, rank, "rank " + rank + " had left the group"));
            log.skip();
        }
    }

    /** Whether a rank of the world is a member. */
    boolean has(int worldRank) {
        return Arrays.stream(members).anyMatch(member -> member == worldRank);
    }

    /** The calls that wait for others, the oldest first. */
    List<CollectiveCall> waiting() {
        return running.values().stream().filter(CollectiveCall::isWaiting).toList();
    }

    boolean isIdle() {
        return running.isEmpty() && messages.isIdle();
    }

    /** Number of the next call. */
    long nextCall() {
        return log.next();
    }

    /** One more than the number of the last call that this rank has completed. */
    long completedCalls() {
        return log.completed();
    }

    /** Takes no more calls, until the group is recovered; the first reason counts. */
    void outdate(String why) {
        if (outdated == null) {
            outdated = why;
            presence.end();
        }
    }

    /** Why no calls are taken; null if they are. Any thread. */
    String outdated() {
        return outdated;
    }

    /** The epoch is over for this rank: what is in flight ends, what has arrived and was not used is dropped. */
    void retire(String why) {
        end(
                ErrorKind.ABORTED,
                why,
                new Ended(
                        new Failure(
                                ErrorKind.ABORTED,
                                rank,
                                "rank " + rank + " is not in this epoch of the group (any more); call recover on every"
                                        + " member"),
                        null));
    }

    /** This rank is no member any more. Members with which it has spoken hear so at once, others when they ask. */
    void close() {
        Failure closed = new Failure(ErrorKind.LEFT, rank, "rank " + rank + " has closed the group");
        boolean wasRetired = isRetired();
        end(
                ErrorKind.LEFT,
                closed.text(),
                new Ended(closed, log.whereabouts(core.loop().nanoTime(), false)));
        if (!wasRetired) {
            for (int member = 0; member < size(); member++) {
                if (member != rank && core.peers().isAnswering(members[member])) {
                    send(member, new Frame.Leave(id, log.next()));
                }
            }
        }
    }

    private void end(ErrorKind kind, String why, Ended left) {
        outdate(why);
        if (!isRetired()) {
            ended = left;
            failAll(kind, why);
            waitLog.stop();
            early.dropAll();
            messages.dropUnexpected(new Failure(kind, rank, why));
        }
    }

    /** What is left of it when it is over; null if it is not. */
    Ended ended() {
        return ended;
    }

    /** Whether anything was called here. */
    boolean isUsed() {
        return used;
    }

    boolean isRetired() {
        return ended != null;
    }
}
