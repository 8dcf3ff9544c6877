package io.parex.service;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.quarkus.runtime.ApplicationConfig;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Makes the beans of the edge from the configuration. {@link EdgeLifecycle} starts and ends them. */
@Singleton
class EdgeBeans {

    /** Starts the world: nothing is served before its ranks are there. */
    @Produces
    @Singleton
    HostedRanks hostedRanks(ParexConfig config, ApplicationConfig application) {
        ForeignVariables.refuse(System.getenv().keySet());
        Settings.check(config);
        Settings.chooseKernels(config);
        return new HostedRanks(start(config), application.version().orElse("unknown"));
    }

    /** The gRPC server asks first, on an event loop of Quarkus' Vert.x, where the fabric's own must not be made. */
    private static LocalWorld start(ParexConfig config) {
        CompletableFuture<LocalWorld> world = new CompletableFuture<>();
        Thread.ofPlatform().name("parex-start").start(() -> {
            try {
                world.complete(LocalWorld.start(config.world().size(), Settings.world(config)));
            } catch (RuntimeException e) {
                world.completeExceptionally(e);
            }
        });
        try {
            return world.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ParexException refusal && refusal.kind() == ErrorKind.ARGUMENT) {
                // All else that a setting may do wrong has been looked at before.
                throw ParexException.argument(Setting.ALGORITHM + ": " + refusal.getMessage());
            }
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Produces
    @Singleton
    Edge edge(HostedRanks ranks, ParexConfig config) {
        return Edge.of(ranks, Settings.edge(config), Infrastructure.getDefaultExecutor());
    }

    /** The one rank of a process that hosts one; a clear refusal where several are hosted. */
    @Produces
    @Dependent
    World world(HostedRanks ranks) {
        return ranks.only();
    }
}
