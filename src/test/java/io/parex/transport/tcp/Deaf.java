package io.parex.transport.tcp;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.transport.Link;

/** The end of a rank that hears of nothing any more, and so does nothing more about it. */
final class Deaf implements Link.Receiver {
    @Override
    public void onFrame(int peer, Frame frame) {}

    @Override
    public void onReturned(int peer, long transfer, long bytes) {}

    @Override
    public void onClosed(int peer, String reason) {}

    @Override
    public void onMet(Life life) {}

    @Override
    public void onStale(long generation, String text) {}

    @Override
    public void onReplaced(String text) {}

    @Override
    public void onLost(String text) {}
}
