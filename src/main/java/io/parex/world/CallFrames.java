package io.parex.world;

import io.parex.protocol.Descriptor;
import io.parex.protocol.Failure;
import io.parex.protocol.Frame;
import java.util.List;
import java.util.function.Consumer;

/**
 * Takes what members of a group say of collective calls: compares it, holds it if its call is not made here yet, and
 * hands it to the call. Owner loop only.
 */
final class CallFrames {
    private final GroupCore group;

    CallFrames(GroupCore group) {
        this.group = group;
    }

    void onOpen(int peer, Frame.Open open) {
        InTransfer transfer = group.peer(peer).incoming(open.transfer(), open.bytes(), open.eager());
        onCallFrame(peer, open.call(), open.descriptor(), transfer::drop, call -> call.attach(peer, open, transfer));
    }

    void onOpened(int peer, Frame.Opened opened) {
        ifRunning(opened.call(), call -> call.opened(peer));
    }

    void onGrant(int peer, Frame.Grant grant) {
        onCallFrame(
                peer,
                grant.call(),
                grant.descriptor(),
                () -> {},
                call -> call.granted(peer, grant.ordinal(), grant.bytes()));
    }

    void onInquire(int peer, Frame.Inquire inquire) {
        Failure failure = group.log().failure(inquire.call());
        if (failure != null) {
            group.send(peer, new Frame.Fail(group.id(), inquire.call(), failure));
            return;
        }
        if (inquire.call() < group.log().next()) {
            Descriptor mine = group.log().descriptor(inquire.call());
            EarlyFrames.Seen theirs = new EarlyFrames.Seen(peer, inquire.descriptor());
            if (mine != null && group.disagrees(inquire.call(), mine, theirs)) {
                return;
            }
            ifRunning(inquire.call(), call -> call.heardOf(peer));
        } else {
            group.early().saw(inquire.call(), peer, inquire.descriptor());
        }
        CollectiveCall call = group.running(inquire.call());
        group.send(
                peer,
                new Frame.Answer(
                        group.id(),
                        inquire.call(),
                        group.log()
                                .whereabouts(
                                        group.core().loop().nanoTime(),
                                        group.running(group.log().next() - 1) != null),
                        call == null ? List.of() : call.search().waitsFor()));
    }

    void onAnswer(int peer, Frame.Answer answer) {
        ifRunning(answer.call(), call -> {
            if (!answer.whereabouts().misses(answer.call())) {
                call.heardOf(peer);
            }
            call.search().answered(peer, answer.whereabouts(), answer.waitsFor());
        });
    }

    /** A frame that only a member sends that has made the call: compared whether or not the schedule expects it. */
    private void onCallFrame(
            int peer, long number, Descriptor descriptor, Runnable drop, Consumer<CollectiveCall> use) {
        EarlyFrames.Seen theirs = new EarlyFrames.Seen(peer, descriptor);
        if (number >= group.log().next()) {
            group.early().saw(number, peer, descriptor);
            group.early().add(number, () -> onCallFrame(peer, number, descriptor, drop, use), drop);
            return;
        }
        Descriptor mine = group.log().descriptor(number);
        CollectiveCall call = group.running(number);
        if (group.log().failure(number) != null
                || mine != null && group.disagrees(number, mine, theirs)
                || call == null) {
            drop.run();
        } else {
            use.accept(call);
        }
    }

    private void ifRunning(long number, Consumer<CollectiveCall> use) {
        CollectiveCall call = group.running(number);
        if (call != null) {
            use.accept(call);
        }
    }
}
