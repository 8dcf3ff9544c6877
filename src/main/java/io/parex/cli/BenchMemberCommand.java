package io.parex.cli;

import io.parex.bench.Member;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** One rank of {@code parex bench --isolation process}; takes orders on standard input. */
@Command(
        name = BenchMemberCommand.NAME,
        hidden = true,
        description = "One rank of a benchmark; started by parex bench, and ends with it.")
final class BenchMemberCommand implements Callable<Integer> {
    static final String NAME = "bench-member";

    /** Where the replies go: not to standard output, which is everybody's. */
    static final int REPLIES_FD = 3;

    @Override
    public Integer call() throws IOException {
        BenchSettings.chooseKernels(Given.here());
        try (InputStream orders = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
                OutputStream replies = new BufferedOutputStream(new FileOutputStream("/dev/fd/" + REPLIES_FD))) {
            if (!new Member(orders, replies, new LoopbackRendezvous()).serve()) {
                // The launcher is gone. Nobody waits for an orderly end, which could take as long as a call's timeout.
                Runtime.getRuntime().halt(ExitCodes.UNREACHABLE);
            }
            return ExitCodes.GOOD;
        }
    }
}
