package io.parex.service;

import com.google.protobuf.ByteString;
import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.CallOptions;
import io.parex.world.Completion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * A plain RPC: one {@link Operation} on a stream of its own. The end of the RPC, by whatever cause, is the end of the
 * call. gRPC calls in on one thread at a time; everything happens in the mailbox.
 */
final class PlainCall<Q, S> implements StreamObserver<Q>, Outlet, OpenStreams.Stream {
    private static final Logger LOG = Logger.getLogger(PlainCall.class);

    private final Edge edge;
    private final PlainCodec<Q, S> codec;
    private final ServerCallStreamObserver<S> stream;
    private final Mailbox mailbox;
    private final OutputRotation rotation;
    private final Context context = Context.current();

    // gRPC's thread.
    private boolean opening = true;

    // Mailbox.
    private CallLabel label = CallLabel.NONE;
    private Operation operation;
    private Party party;
    private boolean reading;
    private boolean paused;
    private boolean ended;

    /** Serves {@code stream}; to be made while gRPC starts the RPC, for the handlers cannot be set later. */
    PlainCall(Edge edge, PlainCodec<Q, S> codec, StreamObserver<S> responses) {
        this.edge = edge;
        this.codec = codec;
        this.stream = (ServerCallStreamObserver<S>) responses;
        this.mailbox = new Mailbox(edge.executor(), this::bug);
        this.rotation = new OutputRotation(stream::isReady);
        stream.setOnReadyThreshold(2 * edge.limits().chunkBytes());
        stream.setOnReadyHandler(() -> mailbox.run(rotation::pump));
        stream.setOnCancelHandler(() -> mailbox.run(this::broken));
        edge.streams().add(this);
    }

    /** For RPCs whose client sends a stream: takes over the flow of its messages. */
    PlainCall<Q, S> reading() {
        reading = true;
        stream.disableAutoRequest();
        stream.request(1);
        return this;
    }

    /** For RPCs whose client sends one message. */
    void only(Q request) {
        onNext(request);
        onCompleted();
    }

    @Override
    public void onNext(Q request) {
        Runnable task = () -> {
            if (!ended) {
                take(request);
                readOn();
            }
        };
        // The system can take a while to provide the memory for a call: not on an event loop.
        if (opening) {
            opening = false;
            mailbox.post(task);
        } else {
            mailbox.run(task);
        }
    }

    private void take(Q request) {
        boolean starting = operation == null;
        try {
            if (operation == null) {
                open(request);
            } else if (codec.isChunk().test(request)) {
                operation.chunk(codec.chunk().apply(request));
            } else {
                operation.fail(ParexException.argument("only chunks may follow the call"));
            }
        } catch (ParexException e) {
            failed(starting ? e.asRefused() : e);
        }
    }

    private void open(Q request) {
        if (!codec.isCall().test(request)) {
            throw ParexException.argument("the first message must be the call");
        }
        label = new CallLabel(-1, "", codec.header().apply(request));
        CallPlan plan = codec.plan().apply(new CallReader(edge.ranks()), request);
        label = plan.label();
        CallOrder order = edge.sequences()
                .of(plan.group(), plan.header(), "a " + plan.primitive().label() + " RPC");
        party = order.party();
        try {
            operation =
                    new Operation(plan.with(untilDeadline(plan.options())), edge, this, mailbox, SharedTensors.NONE);
            order.submit(plan.header(), new Launch(edge, party, List.of(operation))::run);
        } catch (ParexException e) {
            if (operation != null) {
                operation.fail(e.asRefused());
            }
            throw e;
        }
    }

    /** The RPC's deadline, where it is sooner than the timeout. */
    private CallOptions untilDeadline(CallOptions options) {
        Duration limit = options.timeout() == null ? edge.limits().callTimeout() : options.timeout();
        Duration sooner = Deadlines.sooner(context, limit);
        return sooner.equals(limit) ? options : options.withTimeout(sooner);
    }

    /** Lets the next message come when there is room for the largest that it may be. */
    private void readOn() {
        if (!reading || operation == null) {
            return;
        }
        long largest = Math.min(EdgeLimits.MAX_CHUNK_BYTES, operation.inputMissing());
        paused = operation.inputRoom() < largest;
        if (!paused) {
            stream.request(1);
        }
    }

    @Override
    public void onError(Throwable error) {
        // The cancel handler, which gRPC calls before this, has seen to it.
    }

    @Override
    public void onCompleted() {
        mailbox.run(() -> {
            if (operation != null) {
                operation.inputEnded();
            } else if (!ended) {
                failed(ParexException.argument("the stream ended without a call")
                        .asRefused());
            }
        });
    }

    private void broken() {
        boolean deadline = context.cancellationCause() instanceof TimeoutException;
        end();
        if (operation != null) {
            operation.cancel(
                    "client of rank " + label.rank() + (deadline ? ": its deadline passed" : " cancelled the RPC"));
        }
    }

    @Override
    public void outputReady(Operation ready) {
        if (!ended) {
            rotation.add(ready);
        }
    }

    @Override
    public void chunk(ByteString data) {
        if (ended) {
            return;
        }
        stream.onNext(codec.part().apply(data));
    }

    @Override
    public void inputRoom(long limit) {
        if (paused) {
            readOn();
        }
    }

    @Override
    public void completed(Completion completion) {
        if (end()) {
            stream.onNext(codec.completed().apply(Completions.message(completion)));
            stream.onCompleted();
        }
    }

    @Override
    public void failed(ParexException failure) {
        if (end()) {
            stream.onError(ErrorStatus.of(label.error(failure)));
        }
    }

    /** Whether there is still a client to be told. */
    private boolean end() {
        if (ended) {
            return false;
        }
        ended = true;
        edge.streams().remove(this);
        if (operation != null && operation.plan().isCollective()) {
            edge.gate().leave(party, operation.plan());
        }
        return !stream.isCancelled();
    }

    private void bug(RuntimeException e) {
        LOG.error("a plain RPC failed by a fault of the server", e);
        ParexException failure = new ParexException(ErrorKind.PROTOCOL, "internal error: " + e, e);
        if (operation != null) {
            operation.fail(failure);
        } else {
            failed(failure);
        }
    }

    @Override
    public void tick(long nowNanos) {
        mailbox.post(() -> {
            if (operation != null) {
                operation.tick(nowNanos);
            }
        });
    }

    @Override
    public void closing(String text) {
        // One call that may still end; nothing to tell its client before.
    }
}
