package io.parex.protocol.link;

import io.parex.protocol.Frame;
import io.parex.protocol.Payload;
import io.parex.tensor.BufferPool;
import io.parex.tensor.PooledBuffer;
import java.lang.foreign.MemorySegment;

/** Both sides of a link, connected and cut by hand. */
final class Pairing {
    final ManualTiming timing = new ManualTiming();
    final BufferPool pool = new BufferPool(64 << 20);
    final Side near = new Side(timing);
    final Side far = new Side(timing);

    void connect() {
        near.attach();
        far.attach();
    }

    void cut() {
        near.detach();
        far.detach();
    }

    /** Moves bytes both ways until both are quiet, without time passing. */
    void flow() {
        timing.run();
        while (near.carrier != null && far.carrier != null && near.carrier.left() + far.carrier.left() > 0) {
            far.arrive(near.carrier.takeAll());
            near.arrive(far.carrier.takeAll());
            timing.run();
        }
    }

    /** As {@link #flow}, and lets delayed acknowledgements come too. */
    void settle() {
        flow();
        timing.pass(2 * LinkLimits.ACKNOWLEDGE_WITHIN);
        flow();
    }

    /** Connects, and lets both resume. */
    static Pairing connected() {
        Pairing pairing = new Pairing();
        pairing.connect();
        pairing.flow();
        return pairing;
    }

    /** Memory with a pattern in which every offset can be told. */
    static MemorySegment memory(int bytes, int salt) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i * 31 + (i >> 8) * 7 + salt);
        }
        return MemorySegment.ofArray(content);
    }

    static Frame lent(long transfer, MemorySegment memory) {
        return new Frame.Data(transfer, 0, Payload.lent(memory), true);
    }

    Frame copied(long transfer, MemorySegment content) {
        PooledBuffer buffer = pool.acquire(content.byteSize());
        buffer.segment().copyFrom(content);
        return new Frame.Data(transfer, 0, Payload.copied(buffer), true);
    }

    static Frame note(long number) {
        return new Frame.Opened(1, number);
    }
}
