package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Ranks in pods, as the chart starts them: they find each other by the names of a headless service. */
@Tag("slow")
@Timeout(180)
@EnabledOnOs(
        value = OS.LINUX,
        architectures = "amd64",
        disabledReason = "namespaces of Linux, Helm's library on x86-64")
class PodsIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final List<Map<String, String>> SOON = List.of(Map.of("name", "PAREX_TIMEOUT_WARN", "value", "1s"));

    /** Time to live of the names here, and what the cases allow beyond that. */
    private static final Duration NEW_ADDRESS = Duration.ofSeconds(6);

    @TempDir
    private Path folder;

    @Test
    void shouldJoinPodsThatStartTogether() throws Exception {
        try (Pods pods = new Pods(folder, Map.of("worldSize", 3))) {
            long started = System.nanoTime();
            for (int pod = 0; pod < 3; pod++) {
                pods.publish(pod);
                pods.start(pod);
            }
            awaitJoined(pods, 3);
            System.out.printf("three pods joined after %.1f s%n", (System.nanoTime() - started) / 1e9);
            assertEquals("6\n6\n6\n", pods.java(PodTrainers.class, endpoints(3)));
            for (int pod = 0; pod < 3; pod++) {
                String log = pods.process(pod).err();
                assertTrue(log.contains("known to others as " + Pods.address(pod) + ":7610 (parex.advertise)"), log);
                assertEquals(List.of("7610", "8080", "9000", "9001"), pods.ports(pod));
                pods.process(pod).terminate();
            }
            for (int pod = 0; pod < 3; pod++) {
                assertEquals(0, pods.process(pod).exit(), pods.process(pod).err());
            }
        }
    }

    @Test
    void shouldWaitForAPodThatComesLate() throws Exception {
        try (Pods pods = new Pods(folder, Map.of("worldSize", 2, "extraEnv", SOON))) {
            pods.publish(0);
            pods.start(0);
            awaitLog(pods, 0, "waits for ranks [1] (rank 1: parex-1.parex:7610: name not found");
            assertTrue(pods.readiness(0).startsWith("HTTP/1.0 503"), pods.readiness(0));
            assertTrue(pods.readiness(0).contains("\"missing\": \"1\""), pods.readiness(0));
            pods.publish(1);
            awaitLog(pods, 0, "(rank 1: parex-1.parex:7610: nothing listens at " + Pods.address(1) + ":7610)");
            pods.start(1);
            awaitJoined(pods, 2);
        }
    }

    /** C85. */
    @Test
    void shouldTakeAPodThatComesBackWithAnotherAddress() throws Exception {
        try (Pods pods = new Pods(folder, Map.of("worldSize", 3, "extraEnv", SOON))) {
            for (int pod = 0; pod < 3; pod++) {
                pods.publish(pod);
                pods.start(pod);
            }
            awaitJoined(pods, 3);
            assertEquals("6\n6\n6\n", pods.java(PodTrainers.class, endpoints(3)));

            pods.process(1).kill();
            pods.process(1).exit();
            String address = pods.move(1);
            pods.start(1);
            // The others look for it where it was, which is nowhere.
            awaitLog(pods, 1, "known to others as " + address + ":7610");
            pods.publish(1);
            long published = System.nanoTime();
            Awaitility.await()
                    .pollInterval(100, TimeUnit.MILLISECONDS)
                    .atMost(NEW_ADDRESS)
                    .until(() -> {
                        assertTrue(
                                pods.isReady(0) && pods.isReady(2), "those that were not started again remain ready");
                        return pods.isReady(1);
                    });
            System.out.printf(
                    "a pod with another address joined after %.1f s%n", (System.nanoTime() - published) / 1e9);
            String log = pods.process(1).err();
            assertTrue(log.contains("rank 1 was started before: this is generation 2"), log);
            String[] trainers = {PodTrainers.RECOVER, endpoints(3)[0], address + ":9000", endpoints(3)[2]};
            assertEquals("6\n6\n6\n", pods.java(PodTrainers.class, trainers));
        }
    }

    @Test
    void shouldSayThatAnotherServiceAnswersAtTheAddressOfAPeer() throws Exception {
        try (Pods pods = new Pods(folder, Map.of("worldSize", 2, "startTimeoutSeconds", 10))) {
            pods.publish(0);
            pods.publish(1);
            String server = System.getProperty("java.home") + "/bin/jwebserver";
            pods.startOther(1, server, "-b", "0.0.0.0", "-p", "7610", "-d", "/mnt/app");
            pods.start(0);
            assertEquals(4, pods.process(0).exit(), pods.process(0).err());
            String log = pods.process(0).err();
            String last = log.strip().lines().reduce((before, line) -> line).orElse("");
            assertTrue(last.contains("start timeout of 10 s: rank 0"), log);
            assertTrue(
                    last.contains("rank 1: parex-1.parex:7610: at " + Pods.address(1) + ":7610: not our protocol"),
                    log);
            assertTrue(last.contains("(looks like an HTTP response)"), log);
            System.out.println(last);
        }
    }

    private static String[] endpoints(int size) {
        return IntStream.range(0, size)
                .mapToObj(pod -> Pods.address(pod) + ":9000")
                .toArray(String[]::new);
    }

    private static void awaitLog(Pods pods, int pod, String text) {
        await(pods, pod, () -> pods.process(pod).err().contains(text));
    }

    private static void awaitJoined(Pods pods, int size) {
        for (int pod = 0; pod < size; pod++) {
            int each = pod;
            await(pods, pod, () -> pods.isReady(each));
        }
    }

    /** A pod that ends, or waits for too long, has said why. */
    private static void await(Pods pods, int pod, Callable<Boolean> condition) {
        try {
            Awaitility.await()
                    .pollInterval(100, TimeUnit.MILLISECONDS)
                    .atMost(PATIENCE)
                    .until(() -> !pods.process(pod).isAlive() || condition.call());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("pod " + pod + ": " + pods.process(pod).err(), e);
        }
        assertTrue(pods.process(pod).isAlive(), () -> pods.process(pod).err());
    }
}
