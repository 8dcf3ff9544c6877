package io.parex.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.parex.repository.Chart;
import io.parex.repository.Manifest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The pods that the chart describes, each in namespaces of its own on this machine: {@code src/test/sh/pods} makes
 * them. A pod gets its environment from the rendered chart, as the kubelet would give it.
 */
final class Pods implements AutoCloseable {
    private static final String SCRIPT =
            Path.of("src/test/sh/pods").toAbsolutePath().toString();
    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final String JAVA = System.getProperty("java.home");
    private static final String POD_IP = "status.podIP";
    private static final String POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']";
    private static final int FIRST_ADDRESS = 10;
    private static final int MOVED = 100;

    private final Path folder;
    private final Manifest set;
    private final Map<String, String> network = new HashMap<>();
    private final Shell shell;
    private final Map<Integer, String> moved = new HashMap<>();
    private final Map<Integer, ParexProcess> running = new TreeMap<>();

    /**
     * The networks of the pods of a release called parex with these values. No pod has a name or runs yet.
     *
     * @param folder for what they write
     */
    Pods(Path folder, Map<String, Object> values) throws IOException, InterruptedException {
        this.folder = folder;
        set = Manifest.only(Chart.render("parex", values), "StatefulSet");
        network.put("PODS", "parex-" + ProcessHandle.current().pid() + "-" + folder.getFileName());
        network.put("PODS_DIR", Files.createDirectories(folder.resolve("pods")).toString());
        network.put("PODS_SET", set.name());
        network.put(
                "PODS_DOMAIN",
                set.text("spec", "serviceName") + "." + set.text("metadata", "namespace") + ".svc.cluster.local");
        shell = new Shell(Path.of("").toAbsolutePath(), network);
        Shell.Result check = shell.run(SCRIPT, "check", TARGET.resolve("parex").toString(), JAVA + "/bin/java");
        Assumptions.assumeTrue(
                check.exit() == 0,
                () -> "no pods on this machine: " + check.err().strip());
        try {
            script("up", set.text("spec", "replicas"));
        } catch (AssertionError e) {
            close();
            throw e;
        }
    }

    /**
     * In place of the pod, which has ended, there is another of its name, with an address that no pod had; the name
     * leads to the old one until it is {@linkplain #publish published} again.
     *
     * @return the address
     */
    String move(int pod) throws IOException, InterruptedException {
        String address = "10.240.0." + (MOVED + pod);
        script("move", Integer.toString(pod), address);
        moved.put(pod, address);
        return address;
    }

    /** From now on the name of the pod resolves to its address, whether or not it runs. */
    void publish(int pod) throws IOException, InterruptedException {
        script("publish", Integer.toString(pod));
    }

    /** Runs the container of the pod. */
    void start(int pod) throws IOException {
        Map<String, String> environment = new HashMap<>();
        for (JsonElement entry :
                set.at("spec", "template", "spec", "containers", 0, "env").getAsJsonArray()) {
            JsonObject variable = entry.getAsJsonObject();
            environment.put(variable.get("name").getAsString(), value(pod, variable));
        }
        run(pod, environment, "/mnt/app/parex", "serve");
    }

    /** Runs something else in the pod. */
    void startOther(int pod, String... command) throws IOException {
        run(pod, Map.of(), command);
    }

    private void run(int pod, Map<String, String> environment, String... command) throws IOException {
        Map<String, String> all = new HashMap<>(network);
        all.put("JAVA_HOME", JAVA);
        all.putAll(environment);
        Stream<String> script = Stream.of(SCRIPT, "run", Integer.toString(pod), TARGET.toString());
        running.put(
                pod,
                new ParexProcess(
                        folder, all, Stream.concat(script, Stream.of(command)).toList()));
    }

    private String value(int pod, JsonObject variable) {
        if (variable.has("value")) {
            return variable.get("value").getAsString();
        }
        String field = new Manifest(variable).text("valueFrom", "fieldRef", "fieldPath");
        return switch (field) {
            case POD_IP -> moved.getOrDefault(pod, address(pod));
            case POD_INDEX -> Integer.toString(pod);
            default -> throw new AssertionError("the pods here have no " + field);
        };
    }

    /** The address of a pod that was not moved. */
    static String address(int pod) {
        return "10.240.0." + (FIRST_ADDRESS + pod);
    }

    ParexProcess process(int pod) {
        return running.get(pod);
    }

    /** What the kubelet is told when it asks for readiness; empty while nobody answers. */
    String readiness(int pod) throws IOException, InterruptedException {
        return shell.run(SCRIPT, "get", Integer.toString(pod), "/q/health/ready")
                .out();
    }

    /** Whether the pod has joined. */
    boolean isReady(int pod) throws IOException, InterruptedException {
        return readiness(pod).startsWith("HTTP/1.0 200");
    }

    /** Ports on which the pod listens, in order. */
    List<String> ports(int pod) throws IOException, InterruptedException {
        return script("ports", Integer.toString(pod)).lines().toList();
    }

    /** Runs a class of the tests in the network of the pods; what it printed. */
    String java(Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of("outside", JAVA + "/bin/java", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return script(command.toArray(String[]::new));
    }

    private String script(String... arguments) throws IOException, InterruptedException {
        Shell.Result result =
                shell.run(Stream.concat(Stream.of(SCRIPT), Stream.of(arguments)).toArray(String[]::new));
        if (result.exit() != 0) {
            throw new AssertionError(List.of(arguments) + ": " + result.exit() + " " + result.err());
        }
        return result.out();
    }

    /** Ends the pods, the last first, and removes their networks. */
    @Override
    public void close() {
        running.entrySet().stream()
                .sorted(Map.Entry.<Integer, ParexProcess>comparingByKey(Comparator.reverseOrder()))
                .forEach(pod -> pod.getValue().close());
        try {
            script("down");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
