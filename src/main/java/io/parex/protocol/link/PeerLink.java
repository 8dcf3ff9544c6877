package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.View;
import io.parex.protocol.wire.Hello;
import io.parex.protocol.wire.Reject;
import io.parex.protocol.wire.RejectReason;
import io.parex.protocol.wire.WireException;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * Keeps the link to one peer connected: dials when there is something to send, again when the connection breaks,
 * chooses between the connections of two sides that dial at once, and gives up in the end. Owner loop only.
 *
 * <p>Connections of a pair are numbered, by whoever dials, so that a late one of the past is told from a new one that
 * replaces a connection of whose end only the peer knows.
 */
public final class PeerLink {
    /** A dial that takes so long does not keep the peer from dialling. */
    private static final long DIAL_PRIORITY_NANOS = 300_000_000;

    /** A connection that lasted so long was a good one, even if nothing had to be said. */
    private static final long STEADY_NANOS = 1_000_000_000;

    /** Connections in a row that ended because the peer broke the protocol: it would again. */
    private static final int MALFORMED_CONNECTIONS = 3;

    private static final String RESTARTED = "it was restarted";

    private final int self;
    private final int peer;
    private final Timing timing;
    private final Dialler dialler;
    private final LinkPolicy policy;
    private final LinkState state;
    private final Heartbeat heartbeat;
    private final Backoff backoff;

    private volatile Carrier carrier;
    private Carrier successor;
    private long connection;
    private long peerNonce;
    private boolean dialling;
    private boolean superseded;
    private long diallingSinceNanos;
    private Timing.Timer redial;
    private Timing.Timer bound;
    private long attachedNanos;
    private long progressBefore;
    private String trouble = "not tried yet";
    private String breaking;
    private int malformed;
    private volatile int connections;

    /**
     * A link that connects when it is first used or the peer connects.
     *
     * @param self this rank
     * @param peer the other rank
     */
    public PeerLink(int self, int peer, Timing timing, LinkUser user, Dialler dialler, LinkPolicy policy) {
        this.self = self;
        this.peer = peer;
        this.timing = timing;
        this.dialler = dialler;
        this.policy = policy;
        this.state = new LinkState(timing, user);
        this.heartbeat = new Heartbeat(timing, policy.detectNanos(), state::ping, this::silent);
        this.backoff = new Backoff(new Random(31L * self + peer));
    }

    /** The other rank. */
    public int peer() {
        return peer;
    }

    /** Sends a frame; see {@link LinkState#send}. */
    public void send(Frame frame) {
        state.send(frame);
        connect();
    }

    /** The last that this side says. */
    public void close(String reason) {
        state.close(reason);
        connect();
    }

    /** Whether nothing is left to be sent or acknowledged. */
    public boolean isFlushed() {
        return state.isFlushed();
    }

    /** Whether a connection carries the link now. Any thread. */
    public boolean isConnected() {
        return carrier != null;
    }

    /** Whether there is a connection and the peer has neither closed the link nor been lost. */
    public boolean isAnswering() {
        return carrier != null && !state.isGone();
    }

    /** Address of the other end of the connection, in words; empty where there is none. */
    String farEnd() {
        return carrier == null ? "" : carrier.farEnd();
    }

    /** Whether the user has been told of the end, so that nothing refers to the rank's memory any more. */
    public boolean isEnded() {
        return state.isEnded();
    }

    /** Whether it is, or may become, the link to the process with this nonce. */
    public boolean isTo(long nonce) {
        return connections == 0 || nonce == peerNonce;
    }

    /** Where this end is in its life. */
    public LinkPhase phase() {
        LinkPhase phase = state.phase();
        if (phase == LinkPhase.BROKEN && connections == 0) {
            return dialling || redial != null ? LinkPhase.DIALLING : LinkPhase.UNUSED;
        }
        return phase;
    }

    /** How many connections have carried the link so far. Any thread. */
    public int connections() {
        return connections;
    }

    /** Why there is no connection, in words; of the last attempt. */
    public String trouble() {
        return trouble;
    }

    /** Makes sure that there is a connection, or that one is being made. */
    public void connect() {
        if (isMissing() && !dialling && redial == null) {
            if (bound == null) {
                waitAtMost(policy.startNanos());
            }
            dialAfter(backoff.nextNanos(connections == 0));
        }
    }

    private boolean isMissing() {
        return carrier == null && successor == null && state.needsConnection();
    }

    /** However long a dial takes: who waits for the peer waits no longer than this. */
    private void waitAtMost(long nanos) {
        bound = timing.schedule(Math.max(0, nanos), () -> {
            bound = null;
            if (isMissing()) {
                lose("cannot be reached: " + trouble);
            }
        });
    }

    private void dialAfter(long nanos) {
        if (nanos == 0) {
            dial();
        } else {
            redial = timing.schedule(nanos, this::dial);
        }
    }

    private void dial() {
        redial = null;
        if (!isMissing()) {
            return;
        }
        dialling = true;
        superseded = false;
        diallingSinceNanos = timing.nanoTime();
        dialler.dial(this, connection + 1);
    }

    private void stopDialling() {
        redial = cancelled(redial);
        bound = cancelled(bound);
    }

    private static Timing.Timer cancelled(Timing.Timer timer) {
        if (timer != null) {
            timer.cancel();
        }
        return null;
    }

    /** A dial has ended in a connection. */
    public void dialled(Carrier dialled, Hello hello) {
        dialling = false;
        if (state.isGone()) {
            dialled.close();
        } else if (!isTo(hello.nonce())) {
            dialled.close();
            lose(RESTARTED);
        } else if (superseded) {
            dialled.close();
            // What superseded it may have ended meanwhile.
            connect();
        } else {
            connected(dialled, hello);
        }
    }

    /**
     * A dial has ended without one.
     *
     * @param refused whether there is a host but nothing listens there
     */
    public void dialFailed(boolean refused, String cause) {
        dialling = false;
        trouble = cause;
        if (!isMissing()) {
            return;
        }
        if (refused && connections > 0) {
            lose("its process is gone: " + cause);
        } else {
            dialAfter(Math.max(1, backoff.nextNanos(connections == 0)));
        }
    }

    /** The peer has said why it does not take the connection. */
    public void dialRejected(Reject reject) {
        connection = Math.max(connection, reject.connection());
        if (reject.reason() == RejectReason.LOST) {
            dialling = false;
            lose(reject.text());
        } else {
            dialFailed(false, "refused by rank " + peer + ": " + reject.text());
        }
    }

    /**
     * Whether to take a connection that the peer has dialled, the process that {@link Links} takes for it.
     *
     * @return null to take it: {@link #accepted} follows; else what to answer
     */
    public Reject offered(Hello hello) {
        if (state.isGone()) {
            return reject(RejectReason.LOST, hello, "rank " + self + " has lost rank " + peer + " before");
        }
        if (hello.connection() <= connection) {
            return reject(RejectReason.BUSY, hello, "there is or was connection " + connection + " of this link");
        }
        boolean mineWins =
                dialling && !superseded && self < peer && timing.nanoTime() - diallingSinceNanos < DIAL_PRIORITY_NANOS;
        if (mineWins) {
            return reject(RejectReason.BUSY, hello, "rank " + self + " dials itself");
        }
        return null;
    }

    private Reject reject(RejectReason reason, Hello hello, String text) {
        return new Reject(reason, connection, hello.generation(), View.NONE, text);
    }

    /** A connection that the peer has dialled and that was taken. */
    public void accepted(Carrier accepted, Hello hello) {
        superseded = dialling;
        stopDialling();
        connected(accepted, hello);
    }

    private void connected(Carrier fresh, Hello hello) {
        peerNonce = hello.nonce();
        connection = Math.max(connection, hello.connection());
        if (successor != null) {
            successor.close();
        }
        successor = fresh;
        if (carrier == null) {
            succeed();
        } else {
            carrier.close();
        }
    }

    private void succeed() {
        stopDialling();
        attachedNanos = timing.nanoTime();
        progressBefore = state.progress();
        carrier = successor;
        successor = null;
        connections++;
        state.attach(carrier);
        heartbeat.start();
        carrier.start();
    }

    private void silent() {
        breaking = "silent for " + (timing.nanoTime() - heartbeat.heardNanos()) / 1_000_000 + " ms";
        carrier.close();
    }

    /** Bytes of connection {@code source}, valid during the call. */
    public void arrived(Carrier source, MemorySegment bytes) {
        if (source != carrier) {
            return;
        }
        heartbeat.heard();
        try {
            state.arrived(bytes);
        } catch (WireException e) {
            boolean progressed = state.progress() > progressBefore;
            malformed = (progressed ? 0 : malformed) + (e.kind() == WireException.Kind.MALFORMED ? 1 : 0);
            breaking = e.getMessage();
            carrier.close();
        }
    }

    /** The connection has no more bytes for now. */
    public void turnOver(Carrier source) {
        if (source == carrier) {
            state.turnOver();
        }
    }

    /** The connection takes more bytes. */
    public void writable(Carrier source) {
        if (source == carrier) {
            state.writable();
        }
    }

    /** A connection has ended and refers to no memory any more. */
    public void detached(Carrier source, String cause) {
        if (source == successor) {
            successor = null;
        }
        if (source != carrier) {
            return;
        }
        carrier = null;
        boolean progressed = state.progress() > progressBefore;
        if (progressed || timing.nanoTime() - attachedNanos >= STEADY_NANOS) {
            backoff.reset();
        }
        trouble = breaking == null ? cause : breaking;
        breaking = null;
        heartbeat.stop();
        state.detached();
        if (successor != null) {
            succeed();
        } else if (malformed >= MALFORMED_CONNECTIONS) {
            lose("it breaks the protocol: " + trouble);
        } else if (state.needsConnection()) {
            waitAtMost(heartbeat.heardNanos() + policy.detectNanos() - timing.nanoTime());
            connect();
        }
    }

    /** The peer is lost, as is known from elsewhere. */
    public void lose(String reason) {
        stopDialling();
        if (successor != null) {
            successor.close();
            successor = null;
        }
        state.lost(reason);
    }
}
