package io.parex.simulator;

import io.parex.protocol.link.Carrier;
import io.parex.protocol.link.PeerLink;
import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One end of a simulated connection. Memory written by reference is read late, in chunks of any size; memory handed
 * over is overwritten afterwards: who uses either at the wrong time gets wrong bytes.
 */
final class SimulatedCarrier implements Carrier {
    private static final int UNSENT_LIMIT = 256 << 10;
    private static final int LARGE_CHUNK = 96 << 10;
    private static final int SMALL_CHUNK = 90;
    private static final byte STALE = (byte) 0xDD;

    private static final class Entry {
        final MemorySegment bytes;
        final Runnable written;
        long sent;

        Entry(MemorySegment bytes, Runnable written) {
            this.bytes = bytes;
            this.written = written;
        }

        long left() {
            return bytes.byteSize() - sent;
        }
    }

    private final Simulation simulation;
    private final SimulatedConnection connection;
    private final SimulatedRank rank;
    private final PeerLink link;
    private SimulatedCarrier other;

    private final Deque<Entry> unsent = new ArrayDeque<>();
    private final Deque<PooledBuffer> held = new ArrayDeque<>();
    private long unsentBytes;
    private boolean transmitting;
    private boolean full;
    private boolean started;
    private boolean closed;
    private boolean detached;
    private long lastArrivalNanos;

    SimulatedCarrier(Simulation simulation, SimulatedConnection connection, SimulatedRank rank, PeerLink link) {
        this.simulation = simulation;
        this.connection = connection;
        this.rank = rank;
        this.link = link;
    }

    SimulatedRank rank() {
        return rank;
    }

    boolean isOver() {
        return closed || detached;
    }

    /** A time after all that is on its way to this end. */
    long notBefore(long nanos) {
        return Math.max(lastArrivalNanos + 1, nanos);
    }

    /** The process is gone: nobody is told. */
    void vanish() {
        detached = true;
        unsent.clear();
        held.forEach(PooledBuffer::release);
        held.clear();
    }

    void joinedTo(SimulatedCarrier end) {
        other = end;
    }

    @Override
    public void start() {
        started = true;
        simulation.at(simulation.nowNanos(), rank, () -> {
            if (detached) {
                link.detached(this, "connection reset before it was used");
            }
            while (!held.isEmpty()) {
                handOver(held.remove());
            }
        });
    }

    @Override
    public void write(MemorySegment bytes) {
        byte[] frame = bytes.toArray(ValueLayout.JAVA_BYTE);
        write(MemorySegment.ofArray(simulation.sabotage().written(frame)), () -> {});
    }

    @Override
    public void write(MemorySegment bytes, Runnable written) {
        if (closed || detached) {
            simulation.at(simulation.nowNanos(), rank, written);
            return;
        }
        unsent.add(new Entry(bytes, written));
        unsentBytes += bytes.byteSize();
        full |= unsentBytes >= UNSENT_LIMIT;
    }

    @Override
    public boolean isWritable() {
        return unsentBytes < UNSENT_LIMIT;
    }

    @Override
    public void flush() {
        if (!transmitting && !unsent.isEmpty() && !detached) {
            transmitting = true;
            simulation.at(simulation.nowNanos() + 1 + simulation.random().nextInt(5_000), rank, this::transmit);
        }
    }

    /** The kernel takes some bytes, and the network some time to bring them. */
    private void transmit() {
        transmitting = false;
        if (closed || detached || unsent.isEmpty()) {
            return;
        }
        long free = simulation.faults().freeNanos(rank, other.rank, other.lastArrivalNanos);
        if (free > simulation.nowNanos()) {
            transmitting = true;
            simulation.at(free, rank, this::transmit);
            return;
        }
        int limit = 1 + simulation.random().nextInt(simulation.random().nextInt(4) == 0 ? SMALL_CHUNK : LARGE_CHUNK);
        PooledBuffer buffer = simulation.network().acquire(Math.min(limit, Math.max(1, unsentBytes)));
        MemorySegment chunk = buffer.segment();
        long filled = 0;
        while (filled < chunk.byteSize() && !unsent.isEmpty()) {
            Entry entry = unsent.element();
            long count = Math.min(entry.left(), chunk.byteSize() - filled);
            MemorySegment.copy(entry.bytes, entry.sent, chunk, filled, count);
            entry.sent += count;
            filled += count;
            if (entry.left() == 0) {
                unsent.remove();
                entry.written.run();
            }
        }
        unsentBytes -= filled;
        long slowness = simulation.faults().slownessNanos(other.rank, filled);
        other.lastArrivalNanos = other.notBefore(simulation.nowNanos() + simulation.delayNanos()) + slowness;
        simulation.at(other.lastArrivalNanos, other.rank, () -> other.arrive(buffer), buffer::release);
        if (simulation.cutsNow()) {
            connection.cut();
        }
        if (full && isWritable()) {
            full = false;
            link.writable(this);
        }
        flush();
    }

    private void arrive(PooledBuffer bytes) {
        if (started || closed || detached) {
            handOver(bytes);
        } else {
            held.add(bytes);
        }
    }

    private void handOver(PooledBuffer bytes) {
        if (!closed && !detached) {
            link.arrived(this, bytes.segment());
            bytes.segment().fill(STALE);
            link.turnOver(this);
        }
        bytes.release();
    }

    @Override
    public void close() {
        if (!closed && !detached) {
            closed = true;
            breakAt(simulation.nowNanos(), "closed here");
            other.breakAt(
                    Math.max(other.lastArrivalNanos + 1, simulation.nowNanos() + simulation.delayNanos()),
                    "closed by the peer");
        }
    }

    void breakAt(long atNanos, String cause) {
        simulation.at(atNanos, rank, () -> {
            if (!detached) {
                detached = true;
                unsent.forEach(entry -> entry.written.run());
                unsent.clear();
                held.forEach(PooledBuffer::release);
                held.clear();
                link.detached(this, cause);
            }
        });
    }
}
