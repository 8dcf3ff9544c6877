package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.bench.MemberChannel;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The processes of {@code parex bench --isolation process}, one for each rank. When they are closed none is left; when
 * this process ends without closing them they see the end of their input and end themselves.
 */
final class MemberProcesses implements AutoCloseable {
    /** For processes that have been told to end. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /**
     * The JVM has things of its own to say on standard output, such as that it records or cannot use its AOT cache; so
     * the replies go to the next descriptor, and all that is written to standard output goes to standard error.
     */
    private static final List<String> WITH_REPLIES_APART =
            List.of("sh", "-c", "exec " + BenchMemberCommand.REPLIES_FD + ">&1 1>&2; exec \"$@\"", "sh");

    private final List<RankProcess> members = new ArrayList<>();
    private final List<MemberChannel> channels = new ArrayList<>();
    private volatile boolean closed;

    private MemberProcesses() {}

    /**
     * Starts the processes of {@code ranks} ranks; lines that they write to standard error come to {@code err},
     * prefixed by the rank.
     *
     * @throws ParexException of kind {@code unavailable} if that is not possible
     */
    static MemberProcesses start(int ranks, PrintStream err) {
        MemberProcesses processes = new MemberProcesses();
        try {
            for (int rank = 0; rank < ranks; rank++) {
                processes.add(rank, err);
            }
            return processes;
        } catch (IOException e) {
            processes.close();
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "cannot start the processes of " + ranks + " ranks: " + e.getMessage(), e);
        }
    }

    private void add(int rank, PrintStream err) throws IOException {
        RankProcess member =
                RankProcess.start(WITH_REPLIES_APART, BenchMemberCommand.NAME, Map.of(), "[" + rank + "] ", err);
        members.add(member);
        channels.add(new MemberChannel(
                rank,
                new BufferedOutputStream(member.input()),
                new BufferedInputStream(member.output()),
                member::fate));
    }

    /** The ways to the members, in the order of ranks. */
    List<MemberChannel> channels() {
        return List.copyOf(channels);
    }

    /** Whether {@link #close} has been called, so that members that end do so for that. */
    boolean isClosed() {
        return closed;
    }

    /** Ends those that have not ended: at once, they have nothing to save. Those that have left are given a moment. */
    @Override
    public void close() {
        closed = true;
        long deadlineNanos = System.nanoTime() + GRACE.toNanos();
        members.forEach(RankProcess::tellToEnd);
        members.forEach(member -> awaitEnd(member, deadlineNanos));
    }

    /** Even of one who is interrupted none is left. */
    private static void awaitEnd(RankProcess member, long deadlineNanos) {
        try {
            member.awaitEnd(Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
