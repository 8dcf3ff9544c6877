package io.parex.cli;

import io.parex.discovery.StubDns;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A name server that the processes which it is for, and no others of this machine, take for the system's: each has a
 * {@code resolv.conf}, a hosts file and a hostname of its own.
 */
final class PrivateNames implements AutoCloseable {
    private static final String BECOME = """
            hostname "$1"; mount --bind "$2/hosts" /etc/hosts; mount --bind "$2/resolv.conf" /etc/resolv.conf
            shift 2; exec "$@"
            """;
    private static final String[] UNSHARE = {"unshare", "--mount", "--uts"};

    private final Path folder;
    private final StubDns dns;

    /** Skips the test where this cannot be done. */
    PrivateNames(Path folder) throws IOException, InterruptedException {
        this.folder = folder;
        Shell.Result check = new Shell(folder, Map.of())
                .run(Stream.concat(Stream.of(UNSHARE), Stream.of("true")).toArray(String[]::new));
        Assumptions.assumeTrue(check.exit() == 0, () -> "namespaces cannot be made here: " + check.err());
        // Any address of 127.0.0.0/8 is this host's; two runs at a time have different ones.
        long pid = ProcessHandle.current().pid();
        InetAddress address = InetAddress.getByAddress(new byte[] {127, 77, (byte) (pid >> 7), (byte) (1 + pid % 128)});
        dns = StubDns.at(address);
        Files.writeString(folder.resolve("hosts"), "127.0.0.1 localhost\n");
        Files.writeString(folder.resolve("resolv.conf"), "nameserver " + address.getHostAddress() + "\n");
    }

    /** What the server answers. */
    StubDns dns() {
        return dns;
    }

    /** A command that becomes the one appended to it, on a host of that name. */
    String[] on(String hostname) {
        List<String> become = List.of("bash", "-euc", BECOME, "become", hostname, folder.toString());
        return Stream.concat(Stream.of(UNSHARE), become.stream()).toArray(String[]::new);
    }

    @Override
    public void close() throws IOException {
        dns.close();
    }
}
