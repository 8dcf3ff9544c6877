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
import java.util.concurrent.TimeUnit;

/**
 * The processes of {@code parex bench --isolation process}, one for each rank. When they are closed none is left; when
 * this process ends without closing them they see the end of their input and end themselves.
 */
final class MemberProcesses implements AutoCloseable {
    /** For a process that has been told to end, or that has said its last. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Of every start of Parex; that of the launcher is enough. */
    private static final String JVM_WARNING = "WARNING: Using incubator modules";

    /**
     * The JVM has things of its own to say on standard output, such as that it records or cannot use its AOT cache; so
     * the replies go to the next descriptor, and all that is written to standard output goes to standard error.
     */
    private static final List<String> WITH_REPLIES_APART =
            List.of("sh", "-c", "exec " + BenchMemberCommand.REPLIES_FD + ">&1 1>&2; exec \"$@\"", "sh");

    /** Of exit statuses that name a signal. */
    private static final int SIGNALLED = 128;

    private final List<Member> members = new ArrayList<>();
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
                processes.members.add(new Member(rank, err));
            }
            return processes;
        } catch (IOException e) {
            processes.close();
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "cannot start the processes of " + ranks + " ranks: " + e.getMessage(), e);
        }
    }

    /** The ways to the members, in the order of ranks. */
    List<MemberChannel> channels() {
        return members.stream().map(member -> member.channel).toList();
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
        members.forEach(Member::endOfOrders);
        members.forEach(member -> member.awaitEnd(deadlineNanos));
    }

    private static final class Member {
        private final Process process;
        private final Thread pump;
        private final MemberChannel channel;
        private volatile String lastLine;

        Member(int rank, PrintStream err) throws IOException {
            List<String> command = new ArrayList<>(WITH_REPLIES_APART);
            command.addAll(SelfProcess.command(List.of(BenchMemberCommand.NAME)));
            process = new ProcessBuilder(command).start();
            pump = LinePump.start("[" + rank + "] ", process.getErrorStream(), err, this::isShown);
            channel = new MemberChannel(
                    rank,
                    new BufferedOutputStream(process.getOutputStream()),
                    new BufferedInputStream(process.getInputStream()),
                    this::fate);
        }

        private boolean isShown(String line) {
            if (line.startsWith(JVM_WARNING)) {
                return false;
            }
            lastLine = line;
            return true;
        }

        /** How it has ended; waits for that, and for its last line. */
        private String fate() {
            try {
                if (!process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                    return "answers no more";
                }
                pump.join(GRACE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return "is given up";
            }
            int status = process.exitValue();
            String signal = status > SIGNALLED ? " (signal " + (status - SIGNALLED) + ")" : "";
            return "ended with status " + status + signal
                    + (lastLine == null ? " and without a word" : "; its last line: " + lastLine);
        }

        void endOfOrders() {
            try {
                process.getOutputStream().close();
            } catch (IOException e) {
                // It has ended already.
            }
        }

        void awaitEnd(long deadlineNanos) {
            try {
                if (!process.waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    process.destroyForcibly();
                    process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
                }
                pump.join(GRACE);
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
