package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.discovery.StubDns;
import io.parex.transport.tcp.OtherService;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How two ranks of different processes find each other, and what they say of it while they do not. */
@Timeout(180)
class MeetingIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** What an answer is used again for, at most, and what the cases allow beyond that. */
    private static final Duration NEW_ADDRESS = Duration.ofSeconds(10);

    @TempDir
    private Path folder;

    @Test
    void shouldEndWithWhatIsAtTheAddressOfAPeer() throws Exception {
        int[] ports = ListedRanks.freePorts(4);
        try (OtherService _ = OtherService.echo(ports[1]);
                OtherService _ = OtherService.http(ports[3]);
                ListedRanks first = onLoopback(ports[0], ports[1]).with("PAREX_TIMEOUT_START", "5s");
                ListedRanks second = onLoopback(ports[2], ports[3]).with("PAREX_TIMEOUT_START", "5s")) {
            ParexProcess echoed = first.start(0);
            ParexProcess answered = second.start(0);
            assertEnd(echoed, "(rank 1: at 127.0.0.1:" + ports[1] + ": not our protocol (looks like an echo): ");
            assertEnd(
                    answered,
                    "(rank 1: at 127.0.0.1:" + ports[3] + ": not our protocol (looks like an HTTP response): ");
        }
    }

    private static void assertEnd(ParexProcess rank, String why) throws InterruptedException {
        assertEquals(ExitCodes.UNREACHABLE, rank.exit(), rank::err);
        String last = rank.err().lines().reduce((before, line) -> line).orElse("");
        assertTrue(
                last.startsWith("parex serve: start timeout of 5 s: rank 0 of world parex waits for ranks [1] " + why),
                last);
    }

    @Test
    void shouldNotLogEveryProbe() throws Exception {
        int[] ports = ListedRanks.freePorts(2);
        try (ListedRanks ranks = onLoopback(ports[0], ports[1])) {
            ParexProcess rank = ranks.start(0);
            String ready = rank.place("health") + "/ready";
            for (int probe = 0; probe < 5; probe++) {
                assertEquals(503, ParexProcess.get(ready).statusCode());
            }
            awaitLog(rank, "waits for ranks [1] (rank 1: nothing listens at 127.0.0.1:" + ports[1] + ")");
            assertFalse(rank.err().contains("SRHCK"), rank::err);
        }
    }

    @Test
    void shouldMeetAcrossFamilies() throws Exception {
        Assumptions.assumeTrue(hasIpv6(), "this host has no IPv6");
        int[] ports = ListedRanks.freePorts(2);
        try (ListedRanks ranks = new ListedRanks(folder, "127.0.0.1:" + ports[0], "[::1]:" + ports[1])) {
            ParexProcess first = ranks.start(0);
            awaitLog(first, "nothing listens at [::1]:" + ports[1]);
            ParexProcess second = ranks.start(1);
            first.awaitReady();
            second.awaitReady();
        }
    }

    @Test
    void shouldMeetByNamesOfOneFamilyEach() throws Exception {
        Assumptions.assumeTrue(hasIpv6(), "this host has no IPv6");
        int[] ports = ListedRanks.freePorts(2);
        try (PrivateNames names = new PrivateNames(folder);
                ListedRanks ranks = new ListedRanks(folder, "four.test:" + ports[0], "six.test:" + ports[1])
                        .with("PAREX_ADVERTISE", "192.0.2.1")) {
            names.dns().answer("four.test", 60, "127.0.0.1").answer("six.test", 60, "::1");
            ParexProcess first = ranks.start(0, names.on("first"));
            awaitLog(first, "rank 1: six.test:" + ports[1] + ": nothing listens at [::1]:" + ports[1]);
            ParexProcess second = ranks.start(1, names.on("second"));
            first.awaitReady();
            second.awaitReady();
        }
    }

    @Test
    void shouldNameTheSettingThatRulesOutTheFamilyOfAPeer() throws Exception {
        int[] ports = ListedRanks.freePorts(2);
        try (PrivateNames names = new PrivateNames(folder);
                ListedRanks ranks = new ListedRanks(folder, "four.test:" + ports[0], "six.test:" + ports[1])
                        .with("PAREX_ADVERTISE", "192.0.2.1")
                        .with("PAREX_ADDRESS_FAMILY", "ipv4")) {
            names.dns().answer("four.test", 60, "127.0.0.1").answer("six.test", 60, "::1");
            ParexProcess first = ranks.start(0, names.on("first"));
            awaitLog(
                    first,
                    "(rank 1: six.test:" + ports[1] + ": no address record (parex.address-family asks for IPv4 only))");
        }
    }

    @Test
    void shouldFollowANameToANewAddress() throws Exception {
        int[] ports = ListedRanks.freePorts(2);
        try (PrivateNames names = new PrivateNames(folder);
                ListedRanks ranks = new ListedRanks(folder, "zero.test:" + ports[0], "one.test:" + ports[1])
                        .with("PAREX_ADVERTISE", "192.0.2.1")) {
            // For far longer than anybody may rely on it.
            names.dns().answer("zero.test", 3600, "127.0.0.20").answer("one.test", 3600, "127.0.0.21");
            ParexProcess first = ranks.start(0, names.on("zero"));
            awaitLog(first, "rank 1: one.test:" + ports[1] + ": nothing listens at 127.0.0.21:" + ports[1]);
            // Whoever has come to the old address meanwhile is not the peer.
            try (OtherService _ = OtherService.echo("127.0.0.21", ports[1])) {
                names.dns().answer("one.test", 3600, "127.0.0.22");
                ParexProcess second =
                        ranks.with("PAREX_FABRIC_HOST", "127.0.0.22").start(1, names.on("one"));
                second.place("health");
                Awaitility.await()
                        .atMost(NEW_ADDRESS)
                        .until(() -> ParexProcess.get(first.place("health") + "/ready")
                                        .statusCode()
                                == 200);
                second.awaitReady();
            }
        }
    }

    @Test
    void shouldStartWithoutANameServerThatAnswers() throws Exception {
        int[] ports = ListedRanks.freePorts(2);
        try (PrivateNames names = new PrivateNames(folder);
                ListedRanks ranks = new ListedRanks(folder, "node-0:" + ports[0], "node-1:" + ports[1])) {
            names.dns().silence("node-0").silence("node-1");
            ParexProcess rank = ranks.start(0, names.on("node-0"));
            awaitLog(rank, "waits for ranks [1] (rank 1: node-1:" + ports[1] + ": timed out (no answer from ");
            // It has asked for its own address in vain.
            assertTrue(names.dns().asked("node-0", StubDns.A) > 0);
            assertFalse(rank.err().contains("has been blocked for"), rank::err);
            assertFalse(rank.err().contains("\tat "), rank::err);
        }
    }

    private ListedRanks onLoopback(int first, int second) {
        return new ListedRanks(folder, "127.0.0.1:" + first, "127.0.0.1:" + second);
    }

    private static boolean hasIpv6() {
        try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.ofLiteral("::1"))) {
            return true;
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private static void awaitLog(ParexProcess rank, String text) {
        Awaitility.await()
                .atMost(PATIENCE)
                .untilAsserted(() -> assertTrue(rank.err().contains(text), rank::err));
    }
}
