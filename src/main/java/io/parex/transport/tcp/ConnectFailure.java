package io.parex.transport.tcp;

import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.time.Duration;

/**
 * Why a connection could not be opened.
 *
 * @param refused whether there is a host that says that nothing listens there; silence says nothing of the process
 * @param text for people, with the address
 */
record ConnectFailure(boolean refused, String text) {

    /**
     * What the system says, in plain words: its own differ by transport, and do not always name the address.
     *
     * @param address as text
     * @param limit how long connecting could take
     */
    static ConnectFailure of(String address, Duration limit, Throwable cause) {
        String said = Sockets.reason(cause);
        return switch (cause) {
            // A ConnectException by birth, and yet no refusal; the same of a system that gave up before the limit.
            case ConnectTimeoutException _ -> silent(address, limit);
            case ConnectException _ when said.contains("timed out") -> silent(address, limit);
            case ConnectException _ -> new ConnectFailure(true, "nothing listens at " + address);
            case NoRouteToHostException _ -> new ConnectFailure(false, "no route to " + address);
            default -> new ConnectFailure(false, "cannot connect to " + address + ": " + said);
        };
    }

    private static ConnectFailure silent(String address, Duration limit) {
        return new ConnectFailure(false, "no answer within " + limit.toSeconds() + " s from " + address);
    }
}
