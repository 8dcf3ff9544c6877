package io.parex.transport;

import io.parex.protocol.Frame;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what arrives, and where it was told. */
final class RecordingReceiver implements Link.Receiver {
    private final OwnerLoop loop;
    private final List<Frame> frames = new CopyOnWriteArrayList<>();
    private final List<Integer> senders = new CopyOnWriteArrayList<>();
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
        frames.add(frame);
        senders.add(peer);
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

    List<Frame> frames() {
        return List.copyOf(frames);
    }

    List<String> returned() {
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
