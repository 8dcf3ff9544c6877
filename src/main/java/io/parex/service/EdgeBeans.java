package io.parex.service;

import io.parex.planner.LinkCosts;
import io.parex.world.LocalWorld;
import io.parex.world.World;
import io.quarkus.runtime.ApplicationConfig;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

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
        String version = application.version().orElse("unknown");
        LinkCosts costs = Settings.costs(config, Spread.links(config));
        return onThread(() -> Spread.isAskedFor(config)
                ? new HostedRanks(Spread.start(config, costs), version)
                : new HostedRanks(
                        Settings.started(() -> LocalWorld.start(config.world().size(), Settings.world(config, costs))),
                        version));
    }

    /**
     * {@link EdgeLifecycle} asks first, on Quarkus' main thread, unless the application's own beans do: those of gRPC
     * services are made on an event loop of Quarkus' Vert.x, where the fabric's own must not be.
     */
    private static HostedRanks onThread(Supplier<HostedRanks> start) {
        CompletableFuture<HostedRanks> ranks = new CompletableFuture<>();
        Thread.ofPlatform().name("parex-start").start(() -> {
            try {
                ranks.complete(start.get());
            } catch (RuntimeException e) {
                ranks.completeExceptionally(e);
            }
        });
        try {
            return ranks.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    @Produces
    @Singleton
    Edge edge(HostedRanks ranks, ParexConfig config) {
        return Edge.of(
                ranks,
                Settings.edge(config),
                Settings.shared(config, ranks.worlds()),
                Infrastructure.getDefaultExecutor());
    }

    /** The one rank of a process that hosts one; a clear refusal where several are hosted. */
    @Produces
    @Dependent
    World world(HostedRanks ranks) {
        return ranks.only();
    }
}
