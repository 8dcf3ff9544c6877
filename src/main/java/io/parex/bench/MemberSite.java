package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The ranks of a world, each of which lives in a process of its own. */
final class MemberSite implements Site {
    /** For a process to start, and for a rank to find all others; and how much more for each process that starts. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final Duration START_OF_EACH = Duration.ofSeconds(2);

    /** For a world to close, which has limits of its own below that. */
    private static final Duration LEAVE = Duration.ofSeconds(40);

    private final Members members;
    private final Duration callTimeout;
    private boolean failed = true;

    /**
     * Makes a world of the members, which have just been started.
     *
     * @param wholeTensorBytes scratch for whole tensors, all ranks together
     * @throws ParexException of kind {@code unavailable} if they do not find each other
     */
    MemberSite(List<MemberChannel> channels, BenchPlan plan, long wholeTensorBytes) {
        members = new Members(channels);
        callTimeout = plan.timing().callTimeout();
        Duration limit = START.plus(START_OF_EACH.multipliedBy(members.count()));
        try {
            List<Integer> ports = members
                    .askAll(
                            rank -> new Order.Begin(
                                    rank,
                                    plan.ranks(),
                                    plan.shape(),
                                    plan.largestBytes(),
                                    wholeTensorBytes / plan.ranks(),
                                    callTimeout.toNanos()),
                            limit)
                    .stream()
                    .map(reply -> (int) ((Reply.Number) reply).value())
                    .toList();
            members.askAll(new Order.Join(ports), limit);
        } catch (ParexException e) {
            boolean absent = e.kind() == ErrorKind.PEER_FAILED || e.kind() == ErrorKind.TIMEOUT;
            throw absent ? new ParexException(ErrorKind.UNAVAILABLE, e.getMessage(), e) : e;
        }
        failed = false;
    }

    @Override
    public Point point(Series series, long count) {
        return new MemberPoint(series, count);
    }

    /** Leaves the world, if all went well; else there is no order in which to end, and the processes are ended. */
    @Override
    public void close() {
        if (!failed) {
            members.askAll(new Order.Leave(), LEAVE);
        }
    }

    private List<Reply> askAll(Order order, Duration limit) {
        failed = true;
        List<Reply> replies = members.askAll(order, limit);
        failed = false;
        return replies;
    }

    private Reply ask(int rank, Order order, Duration limit) {
        failed = true;
        Reply reply = members.ask(rank, order, limit);
        failed = false;
        return reply;
    }

    private final class MemberPoint implements Point {
        /** For orders that only touch memory, the first time to get it from the system, or start a call. */
        private final Duration answer = callTimeout.plus(START);

        private final Traits traits;

        MemberPoint(Series series, long count) {
            Reply opened = askAll(new Order.Open(series, count), answer).getFirst();
            traits = ((Reply.Opened) opened).traits();
        }

        @Override
        public Traits traits() {
            return traits;
        }

        @Override
        public void prepare() {
            askAll(new Order.Prepare(), answer);
        }

        @Override
        public void start(int rank, long index) {
            ask(rank, new Order.Start(index), answer);
        }

        @Override
        public boolean endsWithin(int rank, Duration limit) {
            Reply ends = ask(rank, new Order.EndsWithin(limit.toNanos()), limit.plus(answer));
            return ((Reply.Number) ends).value() == 1;
        }

        @Override
        public void await(Duration limit) {
            askAll(new Order.Await(limit.toNanos()), limit.plus(answer));
        }

        @Override
        public long wrong() {
            return askAll(new Order.CountWrong(), answer).stream()
                    .mapToLong(reply -> ((Reply.Number) reply).value())
                    .sum();
        }

        @Override
        public List<long[]> run(int calls, Duration limit) {
            Stream<long[]> times = askAll(new Order.Run(calls, limit.toNanos()), limit.plus(answer)).stream()
                    .map(reply -> ((Reply.Times) reply).nanos());
            return times.filter(each -> each.length > 0).toList();
        }

        @Override
        public String algorithm() {
            return ((Reply.Name) ask(0, new Order.NameAlgorithm(), answer)).value();
        }
    }
}
