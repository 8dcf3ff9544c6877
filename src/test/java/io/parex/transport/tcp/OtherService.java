package io.parex.transport.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What else may be at the address of a rank, on loopback. */
public final class OtherService implements AutoCloseable {
    private static final String HTTP = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n";
    private static final String LOOPBACK = "127.0.0.1";
    private static final int CONNECT_MILLIS = 200;

    private final ServerSocket server;
    private final List<Socket> queued = new ArrayList<>();

    private OtherService(String host, int port) {
        try {
            server = new ServerSocket(port, 1, InetAddress.ofLiteral(host));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Says what it hears, at a port of its choice if {@code port} is 0. */
    public static OtherService echo(int port) {
        return echo(LOOPBACK, port);
    }

    /** The same at another address of this host. */
    public static OtherService echo(String host, int port) {
        return new OtherService(host, port)
                .serving(client -> client.getInputStream().transferTo(client.getOutputStream()));
    }

    /** Does not understand what it hears, at a port of its choice if {@code port} is 0. */
    public static OtherService http(int port) {
        return new OtherService(LOOPBACK, port).serving(client -> {
            client.getInputStream().read();
            client.getOutputStream().write(HTTP.getBytes(StandardCharsets.US_ASCII));
        });
    }

    /** Takes connections and hangs up. */
    static OtherService curt() {
        return new OtherService(LOOPBACK, 0)
                .serving(client -> client.getInputStream().read());
    }

    /**
     * Answers nothing, not even that it is there: its queue is full. As behind a firewall, or on a host that is off.
     */
    static OtherService deaf() {
        OtherService service = new OtherService(LOOPBACK, 0);
        while (service.queueOneMore()) {
            // How many there is room for is the system's choice.
        }
        return service;
    }

    /** An address of this host at which nothing listens. */
    static InetSocketAddress nobody() {
        try (OtherService service = new OtherService(LOOPBACK, 0)) {
            return service.address();
        }
    }

    private OtherService serving(Behaviour behaviour) {
        Thread.ofVirtual().name("other-service").start(() -> {
            while (!server.isClosed()) {
                try {
                    Socket client = server.accept();
                    Thread.ofVirtual().start(() -> serve(client, behaviour));
                } catch (IOException e) {
                    // It is closed.
                }
            }
        });
        return this;
    }

    private static void serve(Socket client, Behaviour behaviour) {
        try (client) {
            behaviour.serve(client);
        } catch (IOException e) {
            // The client has gone.
        }
    }

    private boolean queueOneMore() {
        Socket socket = new Socket();
        queued.add(socket);
        try {
            socket.connect(address(), CONNECT_MILLIS);
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where it is. */
    public InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @Override
    public void close() {
        try {
            server.close();
            for (Socket socket : queued) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @FunctionalInterface
    private interface Behaviour {
        void serve(Socket client) throws IOException;
    }
}
