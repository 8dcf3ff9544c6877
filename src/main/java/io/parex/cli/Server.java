package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Drain;
import io.parex.service.HostedRanks;
import io.parex.world.World;
import io.quarkus.arc.Arc;
import io.quarkus.grpc.runtime.GrpcServer;
import io.quarkus.runtime.Application;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.ConfigProvider;
import org.jboss.logging.Logger;

/**
 * The serving part of Parex in this process: ranks, gRPC, metrics, health. Started and stopped by a command, so that
 * the command decides what ends before it and what after; {@code Quarkus.run} would stop it at a signal by itself.
 */
final class Server implements AutoCloseable {
    static final String GRPC = "quarkus.grpc.server";
    static final String MANAGEMENT = "quarkus.management";
    static final String HTTP = "quarkus.http";

    /** Where a local world listens, unless told otherwise. */
    static final String LOOPBACK = "127.0.0.1";

    private static final int NOT_LISTENING = -1;

    private static final Logger LOG = Logger.getLogger(Server.class);

    private final Application application;

    /** What ends with the application, and is asked about after; absent until it has started. */
    private HostedRanks hosted;

    private Drain drain;

    private Server(Application application) {
        this.application = application;
    }

    /**
     * Starts it; it serves when this returns.
     *
     * @throws ParexException naming the setting if one is wrong, or if a port is taken; nothing runs then
     */
    static Server start() {
        ServerSettings.checkPorts();
        Server server = new Server(newApplication());
        GrpcStartLog grpcLog = new GrpcStartLog();
        try {
            server.application.start(new String[0]);
        } catch (Exception failure) {
            throw StartFailure.explain(failure, false);
        } finally {
            grpcLog.close();
        }
        if (server.application.getValueRegistry().getOrDefault(GrpcServer.GRPC_PORT, NOT_LISTENING) == NOT_LISTENING) {
            RuntimeException failure = StartFailure.explain(grpcLog.failure(), true);
            server.close();
            throw failure;
        }
        server.hosted = server.ranks();
        server.drain = Arc.container().instance(Drain.class).get();
        // Not before all ports are bound: until then the start can still fail.
        server.joined().thenRun(() -> logReady(server.ranks().worlds()));
        return server;
    }

    /** The one that Quarkus has started by itself, as it does in dev mode. */
    static Server running() {
        return new Server(Application.currentApplication());
    }

    /** The ranks that it hosts. */
    HostedRanks ranks() {
        return Arc.container().instance(HostedRanks.class).get();
    }

    /** Completes when the ranks are ready; fails if others are missing at the start timeout. */
    CompletableFuture<Void> joined() {
        return CompletableFuture.allOf(ranks().worlds().stream()
                .map(world -> world.joined().subscribeAsCompletionStage())
                .toArray(CompletableFuture[]::new));
    }

    /** Fails when the others go on without a rank here. */
    CompletableFuture<Void> lost() {
        CompletableFuture<Void> lost = new CompletableFuture<>();
        ranks().worlds()
                .forEach(world -> world.lost()
                        .subscribe()
                        .with(why -> lost.completeExceptionally(new ParexException(
                                ErrorKind.UNAVAILABLE,
                                "rank " + world.rank() + " of world " + world.name() + " is lost: " + why
                                        + "; only another start of it can take part"))));
        return lost;
    }

    private static void logReady(List<World> ranks) {
        World first = ranks.getFirst();
        if (ranks.size() == 1) {
            LOG.infof("rank %d of world %s is ready", first.rank(), first.name());
        } else {
            LOG.infof("%d ranks of world %s are ready", ranks.size(), first.name());
        }
    }

    private static Application newApplication() {
        try {
            return (Application) Class.forName(Application.APP_CLASS_NAME)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new ParexException(ErrorKind.UNSUPPORTED, "this is not a Parex that was built by Quarkus", e);
        }
    }

    /** Where trainers find their ranks, such as {@code 127.0.0.1:9000}. */
    String endpoint() {
        return address(GRPC);
    }

    /** Base address of metrics and health, such as {@code http://127.0.0.1:9001}. */
    String management() {
        return "http://" + address(MANAGEMENT);
    }

    /** Where a listener is reached from here; one that listens on all addresses is on loopback too. */
    private static String address(String listener) {
        Config config = ConfigProvider.getConfig();
        String host = config.getValue(listener + ".host", String.class);
        // Once Quarkus listens, its configuration holds the port that it has.
        int port = config.getValue(listener + ".port", Integer.class);
        return Places.address(host, port);
    }

    /** Closes, and says how that went: the exit status of a command that has nothing else to report. */
    int end() {
        close();
        return hosted.cutCalls() == 0 ? ExitCodes.GOOD : ExitCodes.CHECK_FAILED;
    }

    /**
     * Ends what is in flight, then everything; health and metrics are there until then. Waits; idempotent; any thread.
     */
    @Override
    public void close() {
        if (drain != null) {
            drain.run();
        }
        application.close();
    }
}
