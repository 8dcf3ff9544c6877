package io.parex.cli;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Ranks of one world in processes of their own, which are started one by one with a list of where all of them are. */
final class ListedRanks implements AutoCloseable {
    private final Path folder;
    private final List<String> peers;
    private final Map<String, String> settings = new HashMap<>();
    private final List<ParexProcess> running = new ArrayList<>();

    /**
     * None of which runs yet.
     *
     * @param folder for what they write
     * @param peers {@code host:port} of each
     */
    ListedRanks(Path folder, String... peers) {
        this.folder = folder;
        this.peers = List.of(peers);
        settings.put("PAREX_WORLD_SIZE", Integer.toString(peers.length));
        settings.put("PAREX_PEERS", String.join(",", peers));
        settings.put("PAREX_TIMEOUT_WARN", "1s");
        for (String listener : List.of("QUARKUS_GRPC_SERVER", "QUARKUS_MANAGEMENT", "QUARKUS_HTTP")) {
            settings.put(listener + "_HOST", "127.0.0.1");
            settings.put(listener + "_PORT", "0");
        }
    }

    /** Ports that are free on all addresses, for now. */
    static int[] freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sockets.add(new ServerSocket(0));
        }
        int[] ports = sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        for (ServerSocket socket : sockets) {
            socket.close();
        }
        return ports;
    }

    /** A setting, as a variable of the environment, of those that are started from now on. */
    ListedRanks with(String variable, String value) {
        settings.put(variable, value);
        return this;
    }

    /** Starts one, by a command that becomes the one appended to it. */
    ParexProcess start(int rank, String... command) throws IOException {
        Map<String, String> environment = new HashMap<>(settings);
        environment.put("PAREX_RANK", Integer.toString(rank));
        String place = peers.get(rank);
        environment.put("PAREX_FABRIC_PORT", place.substring(place.lastIndexOf(':') + 1));
        List<String> whole = Stream.concat(Stream.of(command), Stream.of(ParexProcess.PAREX, "serve"))
                .toList();
        ParexProcess process = new ParexProcess(folder, environment, whole);
        running.add(process);
        return process;
    }

    @Override
    public void close() {
        running.forEach(ParexProcess::close);
    }
}
