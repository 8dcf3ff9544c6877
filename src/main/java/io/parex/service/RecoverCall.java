package io.parex.service;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallHeader;
import io.parex.v1.Member;
import io.parex.v1.RecoverRequest;
import io.parex.v1.RecoverResponse;
import io.parex.world.ProcessGroup;
import io.parex.world.Recovered;
import io.smallrye.mutiny.subscription.Cancellable;
import java.time.Duration;
import org.jboss.logging.Logger;

/** A Recover RPC: takes part in a recovery for as long as its client waits. Everything happens in the mailbox. */
final class RecoverCall {
    private static final Logger LOG = Logger.getLogger(RecoverCall.class);
    private static final String LABEL = "recover";

    private final Edge edge;
    private final ServerCallStreamObserver<RecoverResponse> stream;
    private final Mailbox mailbox;
    private final Context context = Context.current();
    private CallLabel label = CallLabel.NONE;
    private Cancellable recovery = () -> {};
    private boolean ended;

    /** Serves {@code response}; to be made while gRPC starts the RPC, for the handler cannot be set later. */
    RecoverCall(Edge edge, StreamObserver<RecoverResponse> response) {
        this.edge = edge;
        this.stream = (ServerCallStreamObserver<RecoverResponse>) response;
        this.mailbox = new Mailbox(edge.executor(), this::bug);
        stream.setOnCancelHandler(() -> mailbox.run(this::broken));
    }

    /** Begins. */
    void start(RecoverRequest request) {
        mailbox.run(() -> {
            try {
                begin(request);
            } catch (ParexException e) {
                failed(e.asRefused());
            }
        });
    }

    private void begin(RecoverRequest request) {
        if (edge.inFlight().isClosing()) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "shutting down: no recovery is begun");
        }
        CallHeader header = header(request);
        label = new CallLabel(-1, LABEL, header);
        ProcessGroup group = new CallReader(edge.ranks()).group(header);
        int rank = group.world().rank();
        label = label.on(rank);
        Duration asked = CallReader.options(header).timeout();
        Duration limit = Deadlines.sooner(context, asked == null ? edge.limits().callTimeout() : asked);
        // Whoever recovers a rank is a client of it.
        edge.lostClients().found(rank);
        recovery = group.recover(limit)
                .subscribe()
                .with(
                        recovered -> mailbox.run(() -> succeeded(recovered)),
                        failure -> mailbox.run(() -> failed((ParexException) failure)));
    }

    private static CallHeader header(RecoverRequest request) {
        CallHeader.Builder header = CallHeader.newBuilder().setGroup(request.getGroup());
        if (request.hasRank()) {
            header.setRank(request.getRank());
        }
        if (request.hasTimeout()) {
            header.setTimeout(request.getTimeout());
        }
        return header.build();
    }

    private void succeeded(Recovered recovered) {
        if (end()) {
            stream.onNext(response(recovered));
            stream.onCompleted();
        }
    }

    private static RecoverResponse response(Recovered recovered) {
        RecoverResponse.Builder response = RecoverResponse.newBuilder()
                .setEpoch(recovered.epoch())
                .setRound(recovered.round())
                .setNextCall(recovered.nextCall());
        recovered.members().forEach(member -> response.addMembers(member(member)));
        return response.build();
    }

    private static Member member(Recovered.Member of) {
        Member.Builder member = Member.newBuilder().setRank(of.rank()).setGeneration(of.generation());
        if (of.lastCall() >= 0) {
            member.setLastCall(of.lastCall());
        }
        return member.build();
    }

    private void failed(ParexException failure) {
        if (end()) {
            stream.onError(ErrorStatus.of(label.error(failure)));
        }
    }

    private void bug(RuntimeException e) {
        LOG.error("a recovery failed by a fault of the server", e);
        failed(new ParexException(ErrorKind.PROTOCOL, "internal error: " + e, e));
    }

    private void broken() {
        end();
        recovery.cancel();
    }

    /** Whether there is still a client to be told. */
    private boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        return !stream.isCancelled();
    }
}
