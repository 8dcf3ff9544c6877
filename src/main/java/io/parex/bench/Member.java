package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One rank of a benchmark in a process of its own: does what the launcher orders. One thread reads the orders, so that
 * the end of the launcher is seen at once, another carries them out.
 */
public final class Member {
    private static final System.Logger LOG = System.getLogger(Member.class.getName());

    private final InputStream orders;
    private final OutputStream replies;
    private final Rendezvous rendezvous;
    private Order.Begin begin;
    private LocalSite site;
    private LocalPoint point;

    /** A member that reads its orders from {@code orders} and writes its replies to {@code replies}. */
    public Member(InputStream orders, OutputStream replies, Rendezvous rendezvous) {
        this.orders = orders;
        this.replies = replies;
        this.rendezvous = rendezvous;
    }

    /**
     * Does what is ordered, until it is told to leave.
     *
     * @return false if the orders end before, which they do with the launcher; an order may be being carried out then,
     *     and the world is open
     */
    public boolean serve() {
        ExecutorService worker = Executors.newSingleThreadExecutor(
                Thread.ofPlatform().daemon().name("bench-member").factory());
        try {
            Order order = OrderCodec.read(orders);
            while (order != null) {
                Order next = order;
                worker.execute(() -> answer(next));
                if (order instanceof Order.Leave) {
                    // Ends when the reply is written, and at the latest when closing the world runs into its limits.
                    worker.close();
                    return true;
                }
                order = OrderCodec.read(orders);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "no more orders", e);
        }
        return false;
    }

    private void answer(Order order) {
        Reply reply;
        try {
            reply = carryOut(order);
        } catch (ParexException e) {
            reply = new Reply.Failed(e.kind(), e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.log(System.Logger.Level.ERROR, "order failed: " + order, e);
            reply = new Reply.Failed(ErrorKind.PROTOCOL, "internal error: " + e);
        }
        try {
            ReplyCodec.write(replies, reply);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.ERROR, "nobody takes the reply to " + order, e);
        }
    }

    private Reply carryOut(Order order) {
        return switch (order) {
            case Order.Begin first -> {
                begin = first;
                yield new Reply.Number(rendezvous.listen(
                        begin.rank(),
                        begin.ranks(),
                        Bench.options(Duration.ofNanos(begin.callTimeoutNanos()), begin.wholeTensorBytes())));
            }
            case Order.Join join -> {
                site = new LocalSite(
                        rendezvous.join(join.ports()), begin.shape(), begin.largestBytes(), Workloads::standard);
                yield new Reply.Done();
            }
            case Order.Open open -> {
                point = site.point(open.series(), open.count());
                yield new Reply.Opened(point.traits());
            }
            case Order.Prepare _ -> done(point::prepare);
            case Order.Start start -> done(() -> point.start(begin.rank(), start.index()));
            case Order.EndsWithin within ->
                new Reply.Number(point.endsWithin(begin.rank(), Duration.ofNanos(within.limitNanos())) ? 1 : 0);
            case Order.Await await -> done(() -> point.await(Duration.ofNanos(await.limitNanos())));
            case Order.CountWrong _ -> new Reply.Number(point.wrong());
            case Order.Run run -> {
                List<long[]> times = point.run(run.calls(), Duration.ofNanos(run.limitNanos()));
                yield new Reply.Times(times.isEmpty() ? new long[0] : times.getFirst());
            }
            case Order.NameAlgorithm _ -> new Reply.Name(point.algorithm());
            case Order.Leave _ ->
                done(() -> {
                    if (site != null) {
                        site.close();
                    } else {
                        rendezvous.close();
                    }
                });
        };
    }

    private static Reply done(Runnable order) {
        order.run();
        return new Reply.Done();
    }
}
