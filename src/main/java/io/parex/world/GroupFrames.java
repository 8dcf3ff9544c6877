package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Frame;
import io.parex.protocol.Whereabouts;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Gives what is said of groups to the groups, each in the epoch in which it is said: of an epoch that has not begun
 * here, or of a group that was not created yet, it is held, of one that is over it is answered with a failure, so that
 * no call of one epoch meets one of another. Owner loop only.
 */
final class GroupFrames {
    /** Epochs of which it is kept how they have ended, for frames that come late. */
    private static final int ENDS_KEPT = 1024;

    /** Groups that an answer names. */
    private static final int NAMED = 8;

    private final RankCore core;
    private final Map<Long, GroupCore> groups = new HashMap<>();
    private final Map<Long, Ended> over = new LinkedHashMap<>();
    private final HeldFrames held;

    GroupFrames(RankCore core) {
        this.core = core;
        this.held = new HeldFrames(core, (from, frame, failure) -> answer(from, frame, new Ended(failure, null)));
    }

    /** The groups in their present epochs, and those in former ones whose calls have not all ended. */
    Collection<GroupCore> groups() {
        return groups.values();
    }

    /** An epoch begins. */
    void add(GroupCore group) {
        forgetEnded();
        groups.put(group.id(), group);
        held.release(group.id(), (from, frame) -> hand(group, from, frame));
    }

    /** Lets go of epochs that are over and of which nothing is in flight any more. */
    void forgetEnded() {
        List<GroupCore> ended = groups.values().stream()
                .filter(group -> group.isRetired() && group.isIdle())
                .toList();
        for (GroupCore group : ended) {
            groups.remove(group.id());
            over.put(group.id(), group.ended());
        }
        while (over.size() > ENDS_KEPT) {
            over.remove(over.keySet().iterator().next());
        }
    }

    /** A frame of rank {@code from} of the world. */
    void take(int from, Frame.OfGroup frame) {
        GroupCore group = groups.get(frame.group());
        Ended ended = group == null ? over.get(frame.group()) : group.ended();
        if (ended != null) {
            answer(from, frame, ended);
        } else if (group != null) {
            hand(group, from, frame);
        } else if (frame instanceof Frame.Inquire inquire) {
            answer(from, inquire, new Whereabouts(0, created(), false, 0));
        } else {
            announced(from, frame);
            held.hold(from, frame);
        }
    }

    /** Which groups there are, for one who asks for another: perhaps it was created with other members. */
    private String created() {
        String names = core.groups().open().stream()
                .filter(group -> group.key() != Groups.ALL && !group.isClosed())
                .limit(NAMED)
                .map(group -> group.current().title())
                .collect(Collectors.joining(", "));
        return "rank " + core.rank()
                + " of the world has not created this group, or not with the same members in the same"
                + " order as often; its groups: " + (names.isEmpty() ? "none" : names);
    }

    /** The transfer that a frame announces, so that what follows the frame is kept as well; null if it is no such. */
    private InTransfer announced(int from, Frame.OfGroup frame) {
        return switch (frame) {
            case Frame.Open open -> core.peer(from).incoming(open.transfer(), open.bytes(), open.eager());
            case Frame.Envelope envelope ->
                core.peer(from).incoming(envelope.transfer(), envelope.bytes(), envelope.eager());
            default -> null;
        };
    }

    /** A peer is gone. */
    void forget(int from) {
        held.forget(from, frame -> drop(from, frame));
    }

    private void drop(int from, Frame.OfGroup frame) {
        InTransfer transfer = announced(from, frame);
        if (transfer != null) {
            transfer.drop();
        }
    }

    private static void hand(GroupCore group, int from, Frame.OfGroup frame) {
        int member = group.groupRank(from);
        switch (frame) {
            case Frame.Open open -> group.callFrames().onOpen(member, open);
            case Frame.Opened opened -> group.callFrames().onOpened(member, opened);
            case Frame.Grant grant -> group.callFrames().onGrant(member, grant);
            case Frame.Envelope envelope -> group.messages().onEnvelope(member, envelope);
            case Frame.Fail fail -> group.failed(fail.call(), fail.failure());
            case Frame.Inquire inquire -> group.callFrames().onInquire(member, inquire);
            case Frame.Answer answer -> group.callFrames().onAnswer(member, answer);
            case Frame.Leave leave -> group.left(member, leave.nextCall(), ErrorKind.LEFT, "left the group");
            case Frame.Rejoin _ -> group.returned(member);
            case Frame.Rejoined rejoined -> group.presence().answered(member, rejoined.nextCall());
        }
    }

    /** The sender has not heard yet that it is over. */
    private void answer(int from, Frame.OfGroup frame, Ended ended) {
        Peer peer = core.peer(from);
        drop(from, frame);
        switch (frame) {
            case Frame.Open open -> peer.send(new Frame.Fail(open.group(), open.call(), ended.failure()));
            case Frame.Grant grant -> {
                if (!ended.hasMade(grant.call())) {
                    peer.send(new Frame.Fail(grant.group(), grant.call(), ended.failure()));
                }
            }
            case Frame.Inquire inquire -> {
                if (ended.hasMade(inquire.call())) {
                    answer(from, inquire, ended.whereabouts());
                } else {
                    peer.send(new Frame.Fail(inquire.group(), inquire.call(), ended.failure()));
                }
            }
            case Frame.Envelope envelope -> {
                peer.returnEnvelope();
                peer.send(new Frame.Refuse(envelope.transfer(), ended.failure()));
            }
            case Frame.Opened _, Frame.Fail _, Frame.Answer _, Frame.Leave _, Frame.Rejoin _, Frame.Rejoined _ -> {}
        }
    }

    private void answer(int from, Frame.Inquire inquire, Whereabouts whereabouts) {
        core.peer(from).send(new Frame.Answer(inquire.group(), inquire.call(), whereabouts, List.of()));
    }
}
