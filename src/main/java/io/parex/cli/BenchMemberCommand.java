package io.parex.cli;

import io.parex.bench.Member;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** One rank of {@code parex bench --isolation process}; takes orders on standard input, replies on standard output. */
@Command(
        name = BenchMemberCommand.NAME,
        hidden = true,
        description = "One rank of a benchmark; started by parex bench, and ends with it.")
final class BenchMemberCommand implements Callable<Integer> {
    static final String NAME = "bench-member";

    @Override
    public Integer call() {
        // What anybody prints must not come between the replies.
        System.setOut(System.err);
        Member member = new Member(
                new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)),
                new LoopbackRendezvous());
        if (!member.serve()) {
            // The launcher is gone. Nobody waits for an orderly end, which could take as long as a call's timeout.
            Runtime.getRuntime().halt(ExitCodes.UNREACHABLE);
        }
        return ExitCodes.GOOD;
    }
}
