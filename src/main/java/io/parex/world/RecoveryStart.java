package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A caller's wish for a recovery, handed to the owner loop. Any thread. */
record RecoveryStart(World world, RankCore rank, GroupEpochs epochs) {

    /** Starts at once; cancelling a subscription gives the recovery up. */
    Uni<Recovered> start(Duration timeout) {
        CompletableFuture<Recovered> recovered = new CompletableFuture<>();
        AtomicReference<Recovery> begun = new AtomicReference<>();
        boolean isRunning = rank.execute(() -> {
            if (world.state() != WorldState.READY) {
                recovered.completeExceptionally(ParexException.refused(ErrorKind.UNAVAILABLE, world.refusal()));
            } else if (epochs.isClosed()) {
                recovered.completeExceptionally(GroupArguments.closed(
                        epochs.current().name(), epochs.current().rank()));
            } else {
                begun.set(epochs.recover(timeout.toNanos(), (result, failure) -> {
                    if (failure == null) {
                        recovered.complete(result);
                    } else {
                        recovered.completeExceptionally(new ParexException(failure.kind(), failure.text()));
                    }
                }));
            }
        });
        if (!isRunning) {
            recovered.completeExceptionally(ParexException.refused(ErrorKind.UNAVAILABLE, world.refusal()));
        }
        return Uni.createFrom()
                .completionStage(recovered)
                .onCancellation()
                .invoke(() -> rank.execute(() -> epochs.giveUp(begun.get())));
    }
}
