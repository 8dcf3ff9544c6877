package io.parex.service;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallHeader;
import io.parex.v1.CloseGroupRequest;
import io.parex.v1.CloseGroupResponse;
import io.parex.v1.CreateGroupRequest;
import io.parex.v1.CreateGroupResponse;
import io.parex.world.World;
import io.smallrye.mutiny.Uni;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/** The RPCs that create and close groups. Nothing here waits; answers come on the rank's owner loop. */
record GroupCalls(Edge edge) {
    private static final Logger LOG = Logger.getLogger(GroupCalls.class);

    void create(CreateGroupRequest request, StreamObserver<CreateGroupResponse> response) {
        CallLabel label = label("create_group", request.getName());
        answer(
                label,
                response,
                () -> {
                    if (edge.inFlight().isClosing()) {
                        throw new ParexException(ErrorKind.UNAVAILABLE, "shutting down: no group is created");
                    }
                    World world = world(request.hasRank(), request.getRank());
                    return edge.groups()
                            .create(world, request.getName(), request.getMembersList(), request.getSessionId());
                },
                group -> CreateGroupResponse.newBuilder()
                        .setGroup(Descriptions.group(group))
                        .build());
    }

    void close(CloseGroupRequest request, StreamObserver<CloseGroupResponse> response) {
        answer(
                label("close_group", request.getName()),
                response,
                () -> edge.groups()
                        .close(world(request.hasRank(), request.getRank()), request.getName(), request.getSessionId()),
                closed -> CloseGroupResponse.getDefaultInstance());
    }

    private World world(boolean given, int rank) {
        return edge.ranks().world(given ? OptionalInt.of(rank) : OptionalInt.empty());
    }

    private static CallLabel label(String what, String group) {
        return new CallLabel(-1, what, CallHeader.newBuilder().setGroup(group).build());
    }

    private interface Answer<T, S> {
        S of(T result);
    }

    private static <T, S> void answer(
            CallLabel label, StreamObserver<S> response, Supplier<Uni<T>> work, Answer<T, S> answer) {
        // An answer that nobody waits for any more is no fault.
        ((ServerCallStreamObserver<S>) response).setOnCancelHandler(() -> {});
        Uni<T> begun;
        try {
            begun = work.get();
        } catch (ParexException e) {
            response.onError(ErrorStatus.of(label.error(e.asRefused())));
            return;
        }
        begun.subscribe()
                .with(
                        result -> {
                            response.onNext(answer.of(result));
                            response.onCompleted();
                        },
                        failure -> response.onError(ErrorStatus.of(label.error(told(label, failure)))));
    }

    private static ParexException told(CallLabel label, Throwable failure) {
        if (failure instanceof ParexException known) {
            return known;
        }
        LOG.error(label + " failed by a fault of the server", failure);
        return new ParexException(ErrorKind.PROTOCOL, "internal error: " + failure, failure);
    }
}
