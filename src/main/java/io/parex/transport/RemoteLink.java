package io.parex.transport;

import io.parex.protocol.Frame;
import io.parex.protocol.Life;
import io.parex.protocol.link.PeerLink;

/**
 * The way to a rank of another process: frames become bytes of connections. Owner loop only, but for what says
 * otherwise.
 */
public final class RemoteLink implements Link {
    private final PeerLink link;

    /** The way that {@code link} keeps. */
    public RemoteLink(PeerLink link) {
        this.link = link;
    }

    @Override
    public void send(Frame frame) {
        link.send(frame);
    }

    @Override
    public boolean isConnected() {
        return link.isConnected();
    }

    @Override
    public void lose(String reason) {
        link.lose(reason);
    }

    @Override
    public boolean isAnswering() {
        return link.isAnswering();
    }

    @Override
    public boolean isTo(Life life) {
        return link.isTo(life.nonce());
    }

    @Override
    public boolean isEnded() {
        return link.isEnded();
    }

    @Override
    public void close(String reason) {
        link.close(reason);
    }
}
