package io.parex.world;

import io.parex.ErrorKind;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Gives what is said of groups to the groups, each in the epoch in which it is said: of an epoch that has not begun
 * here it is held, of one that is over it is answered with a failure, so that no call of one epoch meets one of
 * another. Owner loop only.
 */
final class GroupFrames {
    /** Epochs whose names are kept after their last call, for frames that come late. */
    private static final int NAMES_KEPT = 1024;

    private final RankCore core;
    private final Map<Long, GroupCore> groups = new HashMap<>();
    private final Set<Long> over = new LinkedHashSet<>();
    private final HeldFrames held;

    GroupFrames(RankCore core) {
        this.core = core;
        this.held = new HeldFrames(core.loop(), this::answerStale);
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

    private void forgetEnded() {
        List<GroupCore> ended = groups.values().stream()
                .filter(group -> group.isRetired() && group.isIdle())
                .toList();
        for (GroupCore group : ended) {
            groups.remove(group.id());
            over.add(group.id());
        }
        while (over.size() > NAMES_KEPT) {
            over.remove(over.iterator().next());
        }
    }

    /** A frame of rank {@code from} of the world. */
    void take(int from, Frame.OfGroup frame) {
        GroupCore group = groups.get(frame.group());
        if (group != null && !group.isRetired()) {
            hand(group, from, frame);
        } else if (group != null || over.contains(frame.group())) {
            answerStale(from, frame);
        } else {
            announced(from, frame);
            held.hold(from, frame);
        }
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

    /** The sender has not heard yet that the epoch is over. */
    private void answerStale(int from, Frame.OfGroup frame) {
        Peer peer = core.peer(from);
        Failure failure = new Failure(
                ErrorKind.ABORTED,
                core.rank(),
                "rank " + core.rank() + " is not in this epoch of the group (any more); call recover on every member");
        drop(from, frame);
        switch (frame) {
            case Frame.Open open -> peer.send(new Frame.Fail(open.group(), open.call(), failure));
            case Frame.Grant grant -> peer.send(new Frame.Fail(grant.group(), grant.call(), failure));
            case Frame.Inquire inquire -> peer.send(new Frame.Fail(inquire.group(), inquire.call(), failure));
            case Frame.Envelope envelope -> {
                peer.returnEnvelope();
                peer.send(new Frame.Refuse(envelope.transfer(), failure));
            }
            case Frame.Opened _, Frame.Fail _, Frame.Answer _, Frame.Leave _, Frame.Rejoin _, Frame.Rejoined _ -> {}
        }
    }
}
