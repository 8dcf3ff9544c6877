package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** All members of a run, asked together. One thread, which blocks. */
final class Members {
    /**
     * For the end of a process to be seen, after one of the others has failed: most probably because of that end, which
     * says more.
     */
    private static final Duration CAUSE = Duration.ofSeconds(1);

    private final List<MemberChannel> channels;

    Members(List<MemberChannel> channels) {
        this.channels = List.copyOf(channels);
    }

    int count() {
        return channels.size();
    }

    /** Gives each member an order and waits for all answers, in the order of ranks, or for the first failure. */
    List<Reply> askAll(IntFunction<Order> orders, Duration limit) {
        List<CompletableFuture<Reply>> answers = IntStream.range(0, channels.size())
                .mapToObj(rank -> channels.get(rank).ask(orders.apply(rank)))
                .toList();
        await(answers, limit);
        return answers.stream().map(CompletableFuture::join).toList();
    }

    List<Reply> askAll(Order order, Duration limit) {
        return askAll(rank -> order, limit);
    }

    Reply ask(int rank, Order order, Duration limit) {
        CompletableFuture<Reply> answer = channels.get(rank).ask(order);
        await(List.of(answer), limit);
        return answer.join();
    }

    private void await(List<CompletableFuture<Reply>> answers, Duration limit) {
        CompletableFuture<Void> failed = new CompletableFuture<>();
        answers.forEach(answer -> answer.whenComplete((reply, failure) -> {
            if (failure != null) {
                failed.completeExceptionally(failure);
            }
        }));
        CompletableFuture<Void> all = CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, failed).get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw cause(Caller.failure(unwrapped(e.getCause())));
        } catch (TimeoutException e) {
            throw new ParexException(
                    ErrorKind.TIMEOUT,
                    "the processes of ranks " + unanswered(answers) + " did not answer within " + limit.toMillis()
                            + " ms",
                    e);
        } catch (InterruptedException e) {
            throw Caller.interrupted(e);
        }
    }

    private List<Integer> unanswered(List<CompletableFuture<Reply>> answers) {
        return IntStream.range(0, answers.size())
                .filter(rank -> !answers.get(rank).isDone())
                .boxed()
                .toList();
    }

    private static Throwable unwrapped(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    /** The end of a process, if that is what a member's failure came of; else the failure. */
    private ParexException cause(ParexException failure) {
        if (failure.kind() != ErrorKind.PEER_FAILED) {
            return failure;
        }
        CompletableFuture<Object> anyGone = CompletableFuture.anyOf(
                channels.stream().map(MemberChannel::gone).toArray(CompletableFuture[]::new));
        try {
            return (ParexException) anyGone.get(CAUSE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return failure;
        } catch (InterruptedException e) {
            throw Caller.interrupted(e);
        }
    }
}
