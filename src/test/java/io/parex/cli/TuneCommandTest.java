package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.planner.CostTable;
import io.parex.planner.LinkCosts;
import io.parex.planner.LinkKind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TuneCommandTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            -n 1                                      | -n must be 2 to 64, not 1
            --links wire                              | no links 'wire' on this host; known: memory, loopback
            --peers 127.0.0.1:1,127.0.0.1:2           | --peers and --rank go together: one is missing
            --rank 0                                  | --peers and --rank go together: one is missing
            --peers 127.0.0.1:1,127.0.0.1:2 --rank 2  | --rank 2 is none of 2 --peers
            --peers 127.0.0.1:1 --rank 0              | --peers must be 2 to 64 addresses
            --peers a:1,b:x --rank 0                  | 'x' is not a port
            --peers a:1,b:2 --rank 0 --links memory   | --links are those of this host
            """)
    void shouldRefuseWrongUsage(String arguments, String message) {
        Invocation tune = Invocation.of(("tune " + arguments).split(" +"));
        assertEquals(ExitCodes.USAGE, tune.exit(), tune.err());
        assertTrue(tune.err().contains(message), tune.err());
        assertEquals("", tune.out());
    }

    @Test
    @Tag("slow")
    void shouldWriteATableOfWhatItHasMeasured() {
        Invocation tune = Invocation.of("tune", "-n", "2");
        assertEquals(ExitCodes.GOOD, tune.exit(), tune.err());
        CostTable table = CostTable.parse(tune.out(), "output");
        for (LinkKind kind : List.of(LinkKind.MEMORY, LinkKind.LOOPBACK)) {
            LinkCosts costs = table.of(kind);
            assertNotEquals(CostTable.standard().of(kind).overhead(), costs.overhead());
            assertTrue(costs.perByte() > 1e-12 && costs.perByte() < 1e-7, costs.toString());
            assertTrue(tune.out().contains("# " + kind.label() + ": measured among 2 ranks"), tune.out());
        }
        assertEquals(
                CostTable.standard().of(LinkKind.NETWORK).latency(),
                table.of(LinkKind.NETWORK).latency());
    }

    /** Two processes in their place: the same command with another rank. */
    @Test
    @Tag("slow")
    void shouldMeasureBetweenPeers(@TempDir Path directory) throws IOException {
        String peers = "127.0.0.1:" + freePort() + ",127.0.0.1:" + freePort();
        List<CompletableFuture<Invocation>> both = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            String[] arguments = {
                "tune", "--peers", peers, "--rank", Integer.toString(rank), "--output", directory + "/costs" + rank
            };
            both.add(CompletableFuture.supplyAsync(
                    () -> Invocation.of(arguments), task -> Thread.ofPlatform().start(task)));
        }
        both.forEach(tune ->
                assertEquals(ExitCodes.GOOD, tune.join().exit(), tune.join().err()));
        CostTable table = CostTable.parse(Files.readString(directory.resolve("costs0")), "costs0");
        assertNotEquals(
                CostTable.standard().of(LinkKind.NETWORK).perByte(),
                table.of(LinkKind.NETWORK).perByte());
        assertTrue(Files.notExists(directory.resolve("costs1")), "only rank 0 writes");
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
