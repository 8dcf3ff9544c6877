package io.parex.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.marcnuri.helm.LintResult;
import io.parex.discovery.Discovery;
import io.parex.discovery.RankIdentity;
import io.parex.service.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the chart gives to Kubernetes. Helm is here as a native library, for one kind of machine. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64", disabledReason = "Helm's library is that of Linux on x86-64")
class ChartTest {
    private static final Object[] CONTAINER = {"spec", "template", "spec", "containers", 0};
    private static final String POD_INDEX = "metadata.labels['apps.kubernetes.io/pod-index']";

    @Test
    void shouldPassHelmsOwnLook() {
        LintResult result = Chart.lint();
        assertFalse(result.isFailed(), () -> String.join("\n", result.getMessages()));
    }

    static Stream<Map<String, Object>> values() {
        return Stream.of(
                Map.of(),
                Map.of("worldSize", 1, "drainSeconds", 0, "startTimeoutSeconds", 1),
                Map.of("worldSize", 1024, "fullnameOverride", "x".repeat(63)),
                Map.of("image", Map.of("repository", "images.example/team/parex", "tag", "7", "pullPolicy", "Always")),
                Map.of(
                        "imagePullSecrets", List.of(Map.of("name", "pull")),
                        "extraEnv", List.of(Map.of("name", "PAREX_ALGORITHM", "value", "all_reduce:ring")),
                        "podAnnotations", Map.of("a", "1"),
                        "podLabels", Map.of("queue", "true"),
                        "nodeSelector", Map.of("pool", "fast"),
                        "tolerations", List.of(Map.of("key", "gpu", "operator", "Exists")),
                        "affinity", Map.of("podAntiAffinity", Map.of()),
                        "resources", Map.of("requests", Map.of("cpu", "2", "memory", "4Gi"))));
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldRenderWhatKubernetesKnows(Map<String, Object> values) throws IOException {
        List<Manifest> manifests = Chart.render("job", values);
        assertEquals(
                Set.of("Service", "StatefulSet"),
                manifests.stream().map(Manifest::kind).collect(Collectors.toSet()));
        for (Manifest manifest : manifests) {
            assertEquals(List.of(), manifest.faults());
            assertEquals("training", manifest.text("metadata", "namespace"));
        }
        shouldLetRanksFindEachOther(manifests);
        shouldGiveTimeToStartAndToEnd(manifests);
    }

    /** The look at the objects is worth something only if it sees what is wrong. */
    @Test
    void shouldSeeFieldsThatThereAreNotAndValuesOfTheWrongType() throws IOException {
        String service = "{apiVersion: v1, kind: Service, metadata: {name: a}, spec: {%s}}";
        for (String fault : List.of("publishNotReadyAdresses: true", "clusterIP: 1", "ports: [{port: '7610'}]")) {
            assertEquals(
                    1,
                    Manifest.parse(service.formatted(fault)).getFirst().faults().size(),
                    fault);
        }
    }

    static Stream<Map<String, Object>> wrongValues() {
        return Stream.of(
                Map.of("worldSize", 0),
                Map.of("worldSize", "4"),
                Map.of("worldSize", 1025),
                Map.of("replicaCount", 4),
                Map.of("image", Map.of("repository", "parex", "digets", "x")),
                Map.of("extraEnv", List.of(Map.of("name", "A", "value", 1))),
                Map.of("drainSeconds", -1));
    }

    @ParameterizedTest
    @MethodSource("wrongValues")
    void shouldRefuseValuesThatMakeNoSense(Map<String, Object> values) {
        RuntimeException refused = assertThrows(RuntimeException.class, () -> Chart.render("job", values));
        String wrong = values.keySet().iterator().next();
        assertTrue(refused.getMessage().contains(wrong), refused.getMessage());
    }

    /** Ready means that all others were found: a pod must neither wait for its predecessor nor be hidden until then. */
    private static void shouldLetRanksFindEachOther(List<Manifest> manifests) {
        Manifest set = Manifest.only(manifests, "StatefulSet");
        Manifest service = Manifest.only(manifests, "Service");
        assertEquals("Parallel", set.text("spec", "podManagementPolicy"));
        assertTrue(service.flag("spec", "publishNotReadyAddresses"));
        assertEquals("None", service.text("spec", "clusterIP"));
        assertEquals(service.name(), set.text("spec", "serviceName"));
        assertEquals(service.at("spec", "selector"), set.at("spec", "selector", "matchLabels"));
        Map<String, JsonElement> labels = ((JsonObject) set.at("spec", "template", "metadata", "labels")).asMap();
        assertTrue(labels.entrySet()
                .containsAll(
                        ((JsonObject) service.at("spec", "selector")).asMap().entrySet()));
        Map<String, JsonObject> environment = environment(set);
        assertEquals(service.name(), value(environment, Setting.SERVICE));
        assertEquals(set.text("spec", "replicas"), value(environment, Setting.WORLD_SIZE));
    }

    private static void shouldGiveTimeToStartAndToEnd(List<Manifest> manifests) {
        Manifest set = Manifest.only(manifests, "StatefulSet");
        Map<String, JsonObject> environment = environment(set);
        int probed = set.number(container("startupProbe", "periodSeconds"))
                * set.number(container("startupProbe", "failureThreshold"));
        int start = seconds(value(environment, Setting.TIMEOUT_START));
        assertTrue(probed >= start + 60, probed + " s of probes, start timeout of " + start + " s");
        int drain = seconds(value(environment, Setting.TIMEOUT_DRAIN));
        int grace = set.number("spec", "template", "spec", "terminationGracePeriodSeconds");
        assertEquals(drain + 5, grace);
    }

    @Test
    void shouldDrainForAsLongAsKubernetesWaitsByDefault() {
        Manifest set = Manifest.only(Chart.render("job", Map.of()), "StatefulSet");
        assertEquals(30, set.number("spec", "template", "spec", "terminationGracePeriodSeconds"));
    }

    @Test
    void shouldTellRanksOnlySettingsThatThereAre() {
        Map<String, JsonObject> environment = environment(Manifest.only(Chart.render("job", Map.of()), "StatefulSet"));
        Set<String> known =
                Arrays.stream(Setting.values()).map(Setting::variable).collect(Collectors.toSet());
        known.add(RankIdentity.POD_INDEX_VARIABLE);
        assertTrue(known.containsAll(environment.keySet()), () -> environment.keySet() + " of " + known);
        assertEquals(POD_INDEX, field(environment, RankIdentity.POD_INDEX_VARIABLE));
        assertEquals("status.podIP", field(environment, Setting.ADVERTISE.variable()));
    }

    @Test
    void shouldOpenThePortsOfTheApplication() throws IOException {
        List<Manifest> manifests = Chart.render("job", Map.of());
        Manifest set = Manifest.only(manifests, "StatefulSet");
        Manifest service = Manifest.only(manifests, "Service");
        Properties properties = new Properties();
        try (var in = Files.newInputStream(SourceTree.ROOT.resolve("src/main/resources/application.properties"))) {
            properties.load(in);
        }
        Map<String, Integer> expected = new TreeMap<>(Map.of(
                "fabric", Discovery.DEFAULT_PORT,
                "grpc", Integer.parseInt(properties.getProperty(Setting.GRPC_PORT.property())),
                "management", Integer.parseInt(properties.getProperty(Setting.MANAGEMENT_PORT.property())),
                "console", Integer.parseInt(properties.getProperty(Setting.HTTP_PORT.property()))));
        assertEquals(expected, ports(set, "name", "containerPort", container("ports")));
        assertEquals(expected, ports(service, "targetPort", "port", "spec", "ports"));
    }

    /** A rank that waits for others is alive; one that is killed for it starts to wait anew. */
    @Test
    void shouldAskThePeersForReadinessOnly() {
        Manifest set = Manifest.only(Chart.render("job", Map.of()), "StatefulSet");
        for (var probe : Map.of("startupProbe", "started", "livenessProbe", "live", "readinessProbe", "ready")
                .entrySet()) {
            assertEquals("/q/health/" + probe.getValue(), set.text(container(probe.getKey(), "httpGet", "path")));
            assertEquals("management", set.text(container(probe.getKey(), "httpGet", "port")));
        }
    }

    @Test
    void shouldNeedNoRights() {
        Manifest set = Manifest.only(Chart.render("job", Map.of()), "StatefulSet");
        assertTrue(set.flag("spec", "template", "spec", "securityContext", "runAsNonRoot"));
        assertEquals(
                "RuntimeDefault", set.text("spec", "template", "spec", "securityContext", "seccompProfile", "type"));
        assertFalse(set.flag("spec", "template", "spec", "automountServiceAccountToken"));
        assertTrue(set.flag(container("securityContext", "readOnlyRootFilesystem")));
        assertFalse(set.flag(container("securityContext", "allowPrivilegeEscalation")));
        assertEquals("ALL", set.text(container("securityContext", "capabilities", "drop", 0)));
        assertEquals("/tmp", set.text(container("volumeMounts", 0, "mountPath")));
    }

    @Test
    void shouldCarryTheVersionOfTheBuild() throws IOException {
        String pom = Files.readString(SourceTree.ROOT.resolve("pom.xml"));
        Manifest chart = Manifest.parse(Files.readString(Chart.FOLDER.resolve("Chart.yaml")))
                .getFirst();
        String version = chart.text("version");
        assertTrue(pom.contains("<artifactId>parex</artifactId>\n  <version>" + version + "</version>"), version);
        assertEquals(version, chart.text("appVersion"));
        assertEquals(
                "parex:" + version,
                Manifest.only(Chart.render("job", Map.of()), "StatefulSet").text(container("image")));
    }

    @Test
    void shouldAgreeWithThePlainManifests() throws IOException {
        Path base = SourceTree.ROOT.resolve("k8s/base");
        Manifest kustomization = Manifest.parse(Files.readString(base.resolve("kustomization.yaml")))
                .getFirst();
        List<Manifest> plain = new ArrayList<>();
        for (JsonElement file : kustomization.at("resources").getAsJsonArray()) {
            plain.addAll(Manifest.parse(Files.readString(base.resolve(file.getAsString()))));
        }
        assertEquals(
                Chart.render("parex", Map.of()).stream()
                        .map(ChartTest::withoutHelm)
                        .collect(Collectors.toSet()),
                plain.stream().map(Manifest::object).collect(Collectors.toSet()));
        try (Stream<Path> files = Files.list(base)) {
            assertEquals(plain.size() + 1, files.count(), "a file that kustomization.yaml does not name");
        }
    }

    /** Without what only Helm knows: its labels, and the namespace. */
    private static JsonObject withoutHelm(Manifest manifest) {
        JsonObject object = manifest.object().deepCopy();
        object.getAsJsonObject("metadata").remove("namespace");
        List<JsonObject> labels = new ArrayList<>(List.of(labels(object)));
        if (manifest.kind().equals("StatefulSet")) {
            labels.add(labels(object.getAsJsonObject("spec").getAsJsonObject("template")));
        }
        for (JsonObject each : labels) {
            each.remove("helm.sh/chart");
            each.remove("app.kubernetes.io/managed-by");
        }
        return object;
    }

    private static JsonObject labels(JsonObject object) {
        return object.getAsJsonObject("metadata").getAsJsonObject("labels");
    }

    private static Object[] container(Object... path) {
        return Stream.of(CONTAINER, path).flatMap(Arrays::stream).toArray();
    }

    private static Map<String, JsonObject> environment(Manifest set) {
        return set.at(container("env")).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsJsonObject)
                .collect(Collectors.toMap(entry -> entry.get("name").getAsString(), entry -> entry));
    }

    private static String value(Map<String, JsonObject> environment, Setting setting) {
        return environment.get(setting.variable()).get("value").getAsString();
    }

    private static String field(Map<String, JsonObject> environment, String variable) {
        return new Manifest(environment.get(variable)).text("valueFrom", "fieldRef", "fieldPath");
    }

    private static Map<String, Integer> ports(Manifest manifest, String name, String port, Object... path) {
        return manifest.at(path).getAsJsonArray().asList().stream()
                .map(JsonElement::getAsJsonObject)
                .collect(Collectors.toMap(
                        entry -> entry.get(name).getAsString(),
                        entry -> entry.get(port).getAsInt(),
                        (left, right) -> left,
                        TreeMap::new));
    }

    private static int seconds(String duration) {
        return Integer.parseInt(duration.substring(0, duration.length() - 1));
    }
}
