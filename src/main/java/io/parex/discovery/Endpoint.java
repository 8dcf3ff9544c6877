package io.parex.discovery;

import io.netty.util.NetUtil;
import io.parex.ParexException;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A place to dial.
 *
 * @param host an IP literal without brackets, which all resolved endpoints have; a name only where settings say one
 * @param port 1 to 65535
 */
public record Endpoint(String host, int port) {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_NAME_LENGTH = 254;
    private static final Pattern NAME = Pattern.compile("(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.)*"
            + "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?\\.?");
    private static final Pattern DIGITS_AND_DOTS = Pattern.compile("[0-9.]+");

    public Endpoint {
        if (!isLiteral(host) && !isName(host)) {
            throw ParexException.argument("'" + host + "' is neither an IP address nor a host name");
        }
        if (port < 1 || port > MAX_PORT) {
            throw ParexException.argument("port " + port + " is not between 1 and " + MAX_PORT);
        }
    }

    /** Parses {@code host}, {@code host:port}, {@code [ipv6]} or {@code [ipv6]:port}. */
    public static Endpoint parse(String text, int defaultPort) {
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            String rest = close < 0 ? "" : text.substring(close + 1);
            if (close < 0 || !NetUtil.isValidIpV6Address(text.substring(1, close))) {
                throw ParexException.argument("no IPv6 address in brackets");
            }
            if (!rest.isEmpty() && rest.charAt(0) != ':') {
                throw ParexException.argument("'" + rest + "' after the bracket is not a port");
            }
            return new Endpoint(text.substring(1, close), rest.isEmpty() ? defaultPort : parsePort(rest.substring(1)));
        }
        int colon = text.indexOf(':');
        if (colon != text.lastIndexOf(':')) {
            throw ParexException.argument("an IPv6 address goes in brackets, such as [fd00::1]:" + defaultPort);
        }
        return colon < 0
                ? new Endpoint(text, defaultPort)
                : new Endpoint(text.substring(0, colon), parsePort(text.substring(colon + 1)));
    }

    private static int parsePort(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw ParexException.argument("'" + text + "' is not a port");
        }
    }

    static Endpoint of(InetAddress address, int port) {
        return new Endpoint(NetUtil.toAddressString(address), port);
    }

    static boolean isName(String host) {
        // What looks like an IPv4 address and is none would only be a name that nobody finds.
        return host.length() < MAX_NAME_LENGTH
                && NAME.matcher(host).matches()
                && !DIGITS_AND_DOTS.matcher(host).matches();
    }

    private static boolean isLiteral(String host) {
        return NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    /** The address that the literal stands for, without its zone; empty for a name. */
    Optional<InetAddress> address() {
        int zone = host.indexOf('%');
        String bare = zone < 0 ? host : host.substring(0, zone);
        return Optional.ofNullable(NetUtil.createInetAddressFromIpAddressString(bare));
    }

    /** Whether only this host can reach it: a loopback literal, or a name that by RFC 6761 means one. */
    boolean isLoopback() {
        return address().map(InetAddress::isLoopbackAddress).orElseGet(() -> {
            String name = host.toLowerCase(Locale.ROOT);
            String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
            return bare.equals("localhost") || bare.endsWith(".localhost");
        });
    }

    /** {@code host:port}, with brackets around an IPv6 address. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
