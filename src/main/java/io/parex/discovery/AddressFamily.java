package io.parex.discovery;

import io.parex.ParexException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Locale;

/** Which addresses ranks use among themselves. */
public enum AddressFamily {
    /** IPv4 only. */
    IPV4("IPv4"),
    /** IPv6 only. */
    IPV6("IPv6"),
    /** Both, whatever a name has. */
    ANY("IP");

    private final String text;

    AddressFamily(String text) {
        this.text = text;
    }

    /** Parses {@code ipv4}, {@code ipv6} or {@code any}. */
    public static AddressFamily parse(String value) {
        for (AddressFamily family : values()) {
            if (family.name().equalsIgnoreCase(value.strip())) {
                return family;
            }
        }
        throw ParexException.argument("'" + value + "' is not an address family: ipv4, ipv6 or any");
    }

    static AddressFamily of(InetAddress address) {
        return address instanceof Inet4Address ? IPV4 : IPV6;
    }

    boolean admits(InetAddress address) {
        return this == ANY || this == of(address);
    }

    /** As in a sentence: {@code IPv4}. */
    String text() {
        return text;
    }

    /** As in settings: {@code ipv4}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
