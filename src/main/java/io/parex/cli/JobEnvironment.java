package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * What a job's processes find in their environment: the names that torchrun gave the field, where their ranks are, and
 * what Python needs.
 *
 * @param size number of ranks, all on this machine
 * @param endpoint of each rank
 * @param masterPort a port for the job's own use, free when it was chosen
 * @param python what is equal for all processes
 */
record JobEnvironment(int size, IntFunction<String> endpoint, int masterPort, Map<String, String> python) {

    static JobEnvironment of(int size, IntFunction<String> endpoint) {
        return new JobEnvironment(
                size, endpoint, freePort(), PythonEnvironment.here().additions(size, System.getenv()));
    }

    /** The variables of one rank. */
    Map<String, String> of(int rank) {
        Map<String, String> variables = new LinkedHashMap<>(python);
        variables.put("RANK", Integer.toString(rank));
        variables.put("WORLD_SIZE", Integer.toString(size));
        variables.put("LOCAL_RANK", Integer.toString(rank));
        variables.put("LOCAL_WORLD_SIZE", Integer.toString(size));
        // One node, and one role on it.
        variables.put("GROUP_RANK", "0");
        variables.put("GROUP_WORLD_SIZE", "1");
        variables.put("ROLE_NAME", "default");
        variables.put("ROLE_RANK", Integer.toString(rank));
        variables.put("ROLE_WORLD_SIZE", Integer.toString(size));
        variables.put("MASTER_ADDR", "127.0.0.1");
        variables.put("MASTER_PORT", Integer.toString(masterPort));
        variables.put("PAREX_ENDPOINT", endpoint.apply(rank));
        variables.put("PAREX_RANK", Integer.toString(rank));
        return variables;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new ParexException(ErrorKind.UNAVAILABLE, "no port is free for MASTER_PORT: " + e.getMessage(), e);
        }
    }
}
