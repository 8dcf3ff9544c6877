package io.parex.service;

import io.grpc.Context;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.transport.shared.SharedLine;
import io.parex.v1.ClientMessage;
import io.parex.v1.Close;
import io.parex.v1.EventKind;
import io.parex.v1.Open;
import io.parex.v1.ServerMessage;
import io.parex.v1.SharedOffer;
import io.parex.world.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * A session: the stream of one client of one rank, from its opening to its end, good or bad. gRPC calls in on one
 * thread at a time; everything happens in the mailbox. The stream is read without a pause, for no operation can make it
 * wait: each has its own credit. Only a client that reads no answers is not listened to.
 */
final class SessionCall implements StreamObserver<ClientMessage>, OpenStreams.Stream {
    private static final Logger LOG = Logger.getLogger(SessionCall.class);

    /** Messages of a ring that are taken in one go: the loop has other clients too. */
    private static final int RING_TURN = 64;

    private final Edge edge;
    private final ServerCallStreamObserver<ServerMessage> stream;
    private final Mailbox mailbox;
    private final SessionWriter writer;
    private final Context context = Context.current();
    private final String id = UUID.randomUUID().toString();

    private CallLabel label = CallLabel.NONE;
    private Party party;
    private SessionOperations operations;
    private World present;
    private SharedSession rings;
    private boolean deferred;
    private boolean opening;
    private boolean leaves;
    private final Queue<ClientMessage> early = new ArrayDeque<>();
    private int heldRequests;
    private boolean inputEnded;
    private long unreadySinceNanos;

    /** Serves {@code responses}; to be made while gRPC starts the RPC, for the handlers cannot be set later. */
    SessionCall(Edge edge, StreamObserver<ServerMessage> responses) {
        this.edge = edge;
        this.stream = (ServerCallStreamObserver<ServerMessage>) responses;
        this.mailbox = new Mailbox(edge.executor(), this::bug);
        this.writer = new SessionWriter(stream);
        stream.setOnReadyThreshold(2 * edge.limits().chunkBytes());
        stream.setOnReadyHandler(() -> mailbox.run(this::ready));
        stream.setOnCancelHandler(() -> mailbox.run(this::lost));
        stream.disableAutoRequest();
        // One to work on and one on its way.
        stream.request(2);
        edge.streams().add(this);
    }

    @Override
    public void onNext(ClientMessage message) {
        Runnable task = () -> {
            if (!writer.isEnded()) {
                take(message);
            }
            readOn();
        };
        // The system can take a while to provide much memory: not on an event loop.
        if (MemoryNeed.isMuch(message)) {
            mailbox.post(task);
        } else {
            mailbox.run(task);
        }
    }

    private void take(ClientMessage message) {
        if (opening) {
            // No more than were asked for in advance: nothing is read on meanwhile.
            early.add(message);
            return;
        }
        try {
            if (operations == null && !message.hasOpen()) {
                throw ParexException.argument("the first message of a session must be open");
            }
            switch (message.getMessageCase()) {
                case OPEN -> open(message.getOpen());
                case SUBMIT -> operations.submit(message.getSubmit());
                case CHUNK ->
                    operations.chunk(
                            message.getChunk().getOperationId(),
                            message.getChunk().getData());
                case CREDIT ->
                    operations.credit(
                            message.getCredit().getOperationId(),
                            message.getCredit().getLimitBytes());
                case CANCEL ->
                    operations.cancel(
                            message.getCancel().getOperationId(),
                            message.getCancel().getReason());
                case CLOSE -> close(message.getClose());
                case ADD_SEGMENT -> rings().add(message.getAddSegment());
                case DROP_SEGMENT ->
                    rings().segments().drop(message.getDropSegment().getSegmentId());
                case MESSAGE_NOT_SET ->
                    throw new ParexException(
                            ErrorKind.PROTOCOL,
                            "a message of a kind that this server does not know; the session is closed");
            }
        } catch (ParexException e) {
            end("closed by the server: " + e.getMessage(), e);
        }
    }

    private void open(Open open) {
        if (operations != null) {
            throw ParexException.argument("the session was opened already, for rank " + label.rank());
        }
        if (edge.inFlight().isClosing()) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "shutting down: no new sessions are opened");
        }
        World world = edge.ranks().world(open.hasRank() ? OptionalInt.of(open.getRank()) : OptionalInt.empty());
        label = CallLabel.NONE.on(world.rank());
        party = Party.session("session '" + open.getClientName() + "'");
        operations = new SessionOperations(edge, world, party, mailbox, writer, this::endIfDone);
        edge.lostClients().found(world.rank());
        present = world;
        opening = true;
        edge.attendance()
                .opened(world)
                .subscribe()
                .with(
                        heard -> mailbox.run(() -> opened(world)),
                        failure -> mailbox.run(() -> bug(new IllegalStateException(failure))));
    }

    /** The other ranks know of the client, and so may whoever the client tells. */
    private void opened(World world) {
        opening = false;
        edge.groups().opened(id);
        Optional<SharedOffer> offer = edge.shared().offer(world.rank(), id, line -> mailbox.run(() -> share(line)));
        writer.opened(Descriptions.opened(world, edge, id, offer));
        while (!early.isEmpty() && !writer.isEnded()) {
            take(early.remove());
        }
        if (inputEnded && !writer.isEnded()) {
            operations.inputEnded();
            endIfDone();
        }
        ready();
    }

    private SharedSession rings() {
        if (rings == null) {
            throw ParexException.argument("segments are for sessions with rings");
        }
        return rings;
    }

    /** The client has come to the rank's socket: from now on it writes to rings. */
    private void share(SharedLine line) {
        if (writer.isEnded() || operations.hadCall()) {
            line.refuse("the session of rank " + label.rank() + " has ended, or made calls without shared memory");
            return;
        }
        try {
            line.open(() -> mailbox.run(this::ready), () -> mailbox.run(this::lost));
        } catch (ParexException e) {
            line.refuse(e.getMessage());
            return;
        }
        rings = new SharedSession(line, edge, label);
        operations.share(rings.segments());
        writer.switchTo(rings);
        readRings();
    }

    /** Takes what the client has written to its ring. */
    private void readRings() {
        if (deferred || writer.isEnded()) {
            return;
        }
        int taken = 0;
        try {
            rings.reads();
            while (!writer.isEnded() && writer.unread() <= edge.limits().operations()) {
                if (taken++ == RING_TURN) {
                    mailbox.post(this::readRings);
                    return;
                }
                ClientMessage message = rings.next();
                if (message == null) {
                    endIfDone();
                    return;
                }
                if (MemoryNeed.isMuch(message)) {
                    deferred = true;
                    mailbox.post(() -> takeDeferred(message));
                    return;
                }
                take(message);
            }
        } catch (ParexException e) {
            broken(e);
        }
    }

    /** The client has broken its rings. */
    private void broken(ParexException how) {
        if (!writer.isEnded()) {
            fail(how.getMessage());
            end("closed by the server: " + how.getMessage(), how);
        }
    }

    /** Nothing after it was read meanwhile, whatever else came to the mailbox. */
    private void takeDeferred(ClientMessage message) {
        deferred = false;
        if (!writer.isEnded()) {
            take(message);
            readRings();
        }
    }

    /** The client leaves; with a reason, it has failed. */
    private void close(Close message) {
        String reason = message.getReason();
        if (reason.isEmpty()) {
            leaves = message.getLeave() && operations.hadCall();
            end("client of rank " + label.rank() + " closed", null);
        } else {
            fail(reason);
            end("client of rank " + label.rank() + " closed: " + reason, null);
        }
    }

    /** The stream has broken. */
    private void lost() {
        if (!writer.isEnded()) {
            boolean deadline = context.cancellationCause() instanceof TimeoutException;
            String how = deadline ? "the deadline of its session passed" : "connection lost";
            if (isWaitedFor()) {
                fail(how);
            }
            end("client of rank " + label.rank() + " closed: " + how, null);
        }
    }

    /**
     * Whether others may wait for calls of this client. They do not if the group was recovered since it made the last
     * one and the rank has another session: that is the client which took its place.
     */
    private boolean isWaitedFor() {
        return operations != null
                && operations.hadCollective()
                && (!operations.isCollectiveOver() || edge.attendance().isOnly(present));
    }

    private void fail(String reason) {
        LOG.infof("%s of rank %d failed: %s", party, label.rank(), reason);
        edge.lostClients().add(label.rank(), "client of rank " + label.rank() + " closed: " + reason);
    }

    private void end(String reason, ParexException failure) {
        if (operations != null && operations.isEmpty()) {
            // Before its client hears of the end, and perhaps calls at once from another session.
            edge.gate().leave(party);
        }
        writer.end(failure == null ? null : ErrorStatus.of(label.error(failure)));
        edge.streams().remove(this);
        edge.shared().forget(id);
        if (operations != null) {
            operations.cancelAll(reason);
            edge.gate().leave(party);
        }
        if (present != null) {
            // After the end of what it had called.
            edge.groups().ended(id);
            edge.attendance().ended(present, leaves);
            present = null;
        }
    }

    private void endIfDone() {
        if (inputEnded && !opening && (operations == null || operations.isEmpty())) {
            end("closed", null);
        }
    }

    /** Asks for the next message, unless the client leaves too many answers unread. */
    private void readOn() {
        if (opening || writer.unread() > edge.limits().operations()) {
            heldRequests++;
        } else {
            stream.request(1);
        }
    }

    private void ready() {
        if (operations != null) {
            operations.pump();
        }
        if (!opening && heldRequests > 0) {
            stream.request(heldRequests);
            heldRequests = 0;
        }
        if (rings != null && !writer.isEnded()) {
            readRings();
        }
    }

    @Override
    public void onError(Throwable error) {
        // The cancel handler, which gRPC calls before this, has seen to it.
    }

    /** No more operations come; those in flight end normally. */
    @Override
    public void onCompleted() {
        mailbox.run(() -> {
            inputEnded = true;
            if (rings != null && !writer.isEnded()) {
                // The client may have written there before it ended the stream.
                readRings();
                return;
            }
            if (operations != null && !opening) {
                operations.inputEnded();
            }
            endIfDone();
        });
    }

    private void bug(RuntimeException e) {
        if (e instanceof ParexException known && known.kind() == ErrorKind.PROTOCOL && rings != null) {
            broken(known);
            return;
        }
        LOG.error("a session failed by a fault of the server", e);
        end("internal error", new ParexException(ErrorKind.PROTOCOL, "internal error: " + e, e));
    }

    @Override
    public void tick(long nowNanos) {
        mailbox.post(() -> {
            if (writer.isEnded()) {
                return;
            }
            if (operations != null) {
                operations.tick(nowNanos);
            }
            if (rings != null) {
                // The client's memory need not have the order that its bell relies on: no message waits for ever.
                ready();
            }
            cutIfStalled(nowNanos);
        });
    }

    private void cutIfStalled(long nowNanos) {
        Duration limit = edge.limits().stall();
        if (writer.isReady()) {
            unreadySinceNanos = 0;
        } else if (unreadySinceNanos == 0) {
            unreadySinceNanos = nowNanos;
        } else if (nowNanos - unreadySinceNanos > limit.toNanos()) {
            String text = "the client has read nothing for " + limit.toMillis() + " ms (parex.timeout.stalled-reader)";
            end("client of rank " + label.rank() + " cut: " + text, new ParexException(ErrorKind.ABORTED, text));
        }
    }

    @Override
    public void closing(String text) {
        mailbox.post(() -> writer.event(EventKind.EVENT_KIND_CLOSING, text));
    }
}
