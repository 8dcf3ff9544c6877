package io.parex.transport.shared;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoop;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.transport.OwnerLoop;
import io.parex.transport.VertxLoop;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * The Unix socket at which clients of one rank ask for shared memory. It and its connections live on the rank's owner
 * loop, so that a call comes to the rank, and its end to the client, without another thread.
 */
public final class SharedDoor implements AutoCloseable {
    /** Connections of one rank's clients; more are refused. Each has rings of 2 MiB once it has greeted. */
    private static final int MOST_VISITORS = 64;
    /** Of the address in the system's structure, with its end mark. */
    private static final int MOST_PATH_BYTES = 107;

    private final Path path;
    private final Set<Integer> users;
    private final BiConsumer<String, SharedLine> arrived;
    private final Set<Channel> visitors = new HashSet<>();
    private final Channel listener;

    /**
     * Opens it.
     *
     * @param path of the socket, in a directory that is there; what an earlier process left there is removed
     * @param loop owner loop of the rank
     * @param users that may come, besides this process's own and the superuser
     * @param arrived gets each client that has greeted, with the id it gave: to open its line, or refuse it. Called on
     *     the loop
     * @throws ParexException of kind {@code unavailable} if the socket cannot be made
     */
    public SharedDoor(Path path, OwnerLoop loop, Set<Integer> users, BiConsumer<String, SharedLine> arrived) {
        String fault = fault(loop);
        if (!fault.isEmpty()) {
            throw new ParexException(ErrorKind.UNSUPPORTED, fault);
        }
        this.path = path;
        this.users = new HashSet<>(users);
        this.users.add(Libc.user());
        this.users.add(0);
        this.arrived = arrived;
        removeLeftOver(path);
        ChannelFuture bound = new ServerBootstrap()
                .group(((VertxLoop) loop).eventLoop())
                .channel(EpollServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        visit(channel);
                    }
                })
                .bind(new DomainSocketAddress(path.toString()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw unavailable(path, bound.cause());
        }
        listener = bound.channel();
        if (!users.isEmpty()) {
            letOthersConnect();
        }
    }

    /** Why no memory can be shared with clients of a rank of {@code loop}; empty if it can. */
    public static String fault(OwnerLoop loop) {
        EventLoop own = loop instanceof VertxLoop vertx ? vertx.eventLoop() : null;
        if (!Epoll.isAvailable() || !(own instanceof EpollEventLoop)) {
            return "memory is shared on Linux with native epoll only";
        }
        return Libc.isComplete() ? "" : "the C library of this system has no memfd_create";
    }

    private static ParexException unavailable(Path path, Throwable cause) {
        return new ParexException(
                ErrorKind.UNAVAILABLE, "no socket can be made at " + path + ": " + cause.getMessage(), cause);
    }

    private static void removeLeftOver(Path path) {
        if (path.toString().getBytes(StandardCharsets.UTF_8).length > MOST_PATH_BYTES) {
            throw ParexException.argument("the path of a socket may have " + MOST_PATH_BYTES + " bytes: " + path);
        }
        if (!Files.exists(path)) {
            return;
        }
        try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "another process listens at " + path);
        } catch (ConnectException e) {
            delete(path);
        } catch (IOException e) {
            throw unavailable(path, e);
        }
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw unavailable(path, e);
        }
    }

    private void letOthersConnect() {
        try {
            // Who they are is checked when they have connected.
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-rw-rw-"));
        } catch (IOException e) {
            listener.close();
            throw unavailable(path, e);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    boolean isWelcome(int user) {
        return users.contains(user);
    }

    private void visit(Channel channel) {
        if (visitors.size() >= MOST_VISITORS) {
            Visitor.refuse(channel, visitors.size() + " clients are connected, the most that may be");
            channel.close();
            return;
        }
        visitors.add(channel);
        channel.pipeline().addLast(new Visitor(this));
    }

    void left(Channel channel) {
        visitors.remove(channel);
    }

    /** A client has greeted. */
    SharedLine welcome(Channel channel, String id) {
        SharedLine line = new SharedLine(channel);
        arrived.accept(id, line);
        return line;
    }

    /** Takes no more clients and removes the socket; those that are there stay. Waits; never on the loop. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        delete(path);
    }
}
