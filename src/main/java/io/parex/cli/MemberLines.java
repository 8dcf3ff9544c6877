package io.parex.cli;

import io.parex.ParexException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What a launcher and the processes of its ranks say to each other, a line each. */
final class MemberLines {
    /** A member's rank has heard of all others. */
    static final String JOINED = "parex-member joined";

    private static final String LISTENING = "parex-member listens";

    private MemberLines() {}

    /**
     * Where a member is.
     *
     * @param fabricPort for other ranks
     * @param endpoint for trainers
     * @param management for metrics and health
     */
    record Listening(int fabricPort, String endpoint, String management) {
        /** As a line. */
        String text() {
            return String.join(" ", LISTENING, Integer.toString(fabricPort), endpoint, management);
        }

        static boolean is(String line) {
            return line.startsWith(LISTENING);
        }

        static Listening of(String line) {
            String[] words = line.substring(LISTENING.length()).strip().split(" ");
            return new Listening(Integer.parseInt(words[0]), words[1], words[2]);
        }
    }

    /** Where all ranks are, as a line. */
    static String peers(List<Listening> members) {
        return members.stream()
                .map(member -> Integer.toString(member.fabricPort()))
                .collect(Collectors.joining(" "));
    }

    /** Where all ranks are. */
    static List<InetSocketAddress> peers(String line) {
        try {
            return Arrays.stream(line.split(" "))
                    .map(port -> new InetSocketAddress("127.0.0.1", Integer.parseInt(port)))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw ParexException.argument("the launcher should say the ports of all ranks, not '" + line + "'");
        }
    }
}
