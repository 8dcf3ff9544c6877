package io.parex.transport;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.Payload;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what arrives, and where it was told. */
public final class RecordingReceiver implements Link.Receiver {
    private final OwnerLoop loop;
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final List<Integer> senders = new CopyOnWriteArrayList<>();
    private final List<Life> lives = new CopyOnWriteArrayList<>();
    private final List<String> closes = new CopyOnWriteArrayList<>();
    private final List<String> returned = new CopyOnWriteArrayList<>();
    private volatile boolean alwaysOnLoop = true;
    private volatile int framesBeforeClose;

    RecordingReceiver(OwnerLoop loop) {
        this.loop = loop;
    }

    @Override
    public void onFrame(int peer, Frame frame) {
        alwaysOnLoop &= loop.inLoop();
        frames.add(frame instanceof Frame.Data data && data.payload().isPassing() ? kept(data) : frame);
        senders.add(peer);
    }

    private static Frame kept(Frame.Data data) {
        MemorySegment copy = Arena.ofAuto().allocate(data.payload().segment().byteSize());
        copy.copyFrom(data.payload().segment());
        return new Frame.Data(data.transfer(), data.offset(), Payload.lent(copy), data.last());
    }

    @Override
    public void onReturned(int peer, long transfer, long bytes) {
        alwaysOnLoop &= loop.inLoop();
        returned.add(transfer + " " + bytes);
    }

    @Override
    public void onClosed(int peer, String reason) {
        alwaysOnLoop &= loop.inLoop();
        closes.add(peer + " " + reason);
        framesBeforeClose = frames.size();
    }

    @Override
    public void onMet(Life life) {
        lives.add(life);
    }

    @Override
    public void onStale(long generation, String text) {
        closes.add("stale " + generation);
    }

    @Override
    public void onReplaced(String text) {
        closes.add("replaced");
    }

    @Override
    public void onLost(String text) {
        closes.add("lost");
    }

    /** The bytes of a transfer, put together. */
    MemorySegment tensor(long transfer, long bytes) {
        MemorySegment tensor = Arena.ofAuto().allocate(bytes);
        for (Frame frame : frames) {
            if (frame instanceof Frame.Data data && data.transfer() == transfer) {
                tensor.asSlice(data.offset()).copyFrom(data.payload().segment());
            }
        }
        return tensor;
    }

    List<Frame> frames() {
        return List.copyOf(frames);
    }

    /** What has been told to be free again, as {@code transfer bytes}. */
    public List<String> returned() {
        return List.copyOf(returned);
    }

    List<Integer> senders() {
        return List.copyOf(senders);
    }

    List<String> closes() {
        return List.copyOf(closes);
    }

    boolean alwaysOnLoop() {
        return alwaysOnLoop;
    }

    int framesBeforeClose() {
        return framesBeforeClose;
    }
}
