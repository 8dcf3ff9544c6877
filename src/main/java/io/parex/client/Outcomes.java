package io.parex.client;

import io.smallrye.mutiny.Uni;
import java.util.concurrent.CompletableFuture;

/** Results of what runs already, as {@code Uni}s. */
final class Outcomes {
    static {
        // Mutiny sets itself up when it is first used, and fails if two threads are the first.
        Uni.createFrom().voidItem().subscribe().with(nothing -> {});
    }

    private Outcomes() {}

    /** Hands on {@code result} to each subscriber. Cancelling a subscription leaves it alone. */
    static <T> Uni<T> of(CompletableFuture<T> result) {
        return Uni.createFrom()
                .emitter(emitter -> result.whenComplete((value, failure) -> {
                    if (failure == null) {
                        emitter.complete(value);
                    } else {
                        emitter.fail(failure);
                    }
                }));
    }
}
