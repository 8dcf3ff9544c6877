package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/** The launcher's end of the pipes to a member. One thread asks; answers complete on a thread of the channel's own. */
public final class MemberChannel {
    private final int rank;
    private final OutputStream orders;
    private final InputStream replies;
    private final Supplier<String> fate;
    private final Queue<CompletableFuture<Reply>> waiting = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<ParexException> gone = new CompletableFuture<>();

    /**
     * Speaks to the member that is rank {@code rank}.
     *
     * @param fate in words how its process has ended, asked once the replies have; may block for a moment
     */
    public MemberChannel(int rank, OutputStream orders, InputStream replies, Supplier<String> fate) {
        this.rank = rank;
        this.orders = orders;
        this.replies = replies;
        this.fate = fate;
        Thread.ofPlatform().daemon().name("bench-replies-" + rank).start(this::read);
    }

    /** Gives an order. The answer fails with what the member failed with, or with its end. */
    CompletableFuture<Reply> ask(Order order) {
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        waiting.add(answer);
        try {
            OrderCodec.write(orders, order);
        } catch (IOException e) {
            // Its process has ended, which the reader is about to see.
        }
        if (gone.isDone()) {
            failWaiting();
        }
        return answer;
    }

    /** Completes with the failure that says so when the member has ended. */
    CompletableFuture<ParexException> gone() {
        return gone;
    }

    private void read() {
        String end;
        try {
            for (Reply reply = ReplyCodec.read(replies); reply != null; reply = ReplyCodec.read(replies)) {
                answered(reply);
            }
            end = fate.get();
        } catch (IOException e) {
            end = fate.get() + " (" + e.getMessage() + ")";
        }
        gone.complete(new ParexException(ErrorKind.PEER_FAILED, "the process of rank " + rank + " " + end));
        failWaiting();
    }

    private void answered(Reply reply) {
        CompletableFuture<Reply> answer = waiting.remove();
        if (reply instanceof Reply.Failed failed) {
            answer.completeExceptionally(new ParexException(failed.kind(), failed.text()));
        } else {
            answer.complete(reply);
        }
    }

    private void failWaiting() {
        for (CompletableFuture<Reply> answer = waiting.poll(); answer != null; answer = waiting.poll()) {
            answer.completeExceptionally(gone.join());
        }
    }
}
