package io.parex.discovery;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * This host as its ranks see it.
 *
 * @param hostname its name, on Kubernetes that of the pod
 * @param addresses those of the interfaces that are up, in the order of the interfaces, IPv4 first within each
 */
public record LocalHost(String hostname, List<InetAddress> addresses) {
    private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

    public LocalHost {
        addresses = List.copyOf(addresses);
    }

    /** Asks the system. Blocks, if only for a moment: for the start. */
    public static LocalHost read() {
        try {
            List<InetAddress> addresses = NetworkInterface.networkInterfaces()
                    .filter(LocalHost::isUp)
                    .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
                    .flatMap(LocalHost::addressesOf)
                    .toList();
            return new LocalHost(readHostname(), addresses);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the name and the addresses of this host", e);
        }
    }

    private static boolean isUp(NetworkInterface network) {
        try {
            return network.isUp();
        } catch (SocketException e) {
            // It went away between the listing and the question.
            return false;
        }
    }

    private static Stream<InetAddress> addressesOf(NetworkInterface network) {
        return network.inetAddresses().sorted(Comparator.comparing(AddressFamily::of));
    }

    private static String readHostname() throws IOException {
        // Not InetAddress.getLocalHost() where it can be helped: it looks the name up, and fails where it is unknown.
        return Files.isReadable(KERNEL_HOSTNAME)
                ? Files.readString(KERNEL_HOSTNAME).strip()
                : InetAddress.getLocalHost().getHostName();
    }

    /** Addresses of {@code family} by which other hosts may reach this one. */
    List<InetAddress> reachable(AddressFamily family) {
        return addresses.stream()
                .filter(family::admits)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();
    }

    /** The family to try first at a peer that has both: IPv6 only where this host has nothing else. */
    AddressFamily firstFamily() {
        return reachable(AddressFamily.IPV4).isEmpty()
                        && !reachable(AddressFamily.IPV6).isEmpty()
                ? AddressFamily.IPV6
                : AddressFamily.IPV4;
    }
}
