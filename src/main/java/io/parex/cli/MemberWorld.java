package io.parex.cli;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Setting;
import io.quarkus.runtime.configuration.DurationConverter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A local world each of whose ranks has a process of its own. One thread starts and ends it. */
final class MemberWorld implements AutoCloseable {
    /** What a member needs besides what it waits for, on a busy machine. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    private static final Duration START = Duration.ofMinutes(5);
    private static final Duration DRAIN = Duration.ofSeconds(25);

    private final Duration startLimit = limit(Given.here(), Setting.TIMEOUT_START, START);
    private final Duration endLimit = limit(Given.here(), Setting.TIMEOUT_DRAIN, DRAIN);
    private final List<MemberProcess> members = new ArrayList<>();
    private List<MemberLines.Listening> places = List.of();
    private boolean ended;

    private MemberWorld() {}

    /**
     * Starts {@code size} processes and waits until their ranks are ready.
     *
     * @param more properties of each, besides what this process has been given
     * @throws ParexException if one ends before, or it takes more than the start timeout; none runs then
     */
    static MemberWorld start(int size, Map<String, String> more, PrintStream log) throws InterruptedException {
        MemberWorld world = new MemberWorld();
        try {
            for (int rank = 0; rank < size; rank++) {
                world.members.add(MemberProcess.start(rank, settings(rank, size, more), log));
            }
            world.places = world.await(MemberProcess::listening);
            world.members.forEach(member -> member.tell(world.places));
            world.await(MemberProcess::joined);
            return world;
        } catch (InterruptedException | RuntimeException e) {
            world.close();
            throw e;
        }
    }

    private static Map<String, String> settings(int rank, int size, Map<String, String> more) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("PAREX_WORLD_SIZE", Integer.toString(size));
        settings.put("PAREX_RANKS_PER_PROCESS", "1");
        settings.put("PAREX_RANK", Integer.toString(rank));
        settings.put("PAREX_DISCOVERY", "launcher");
        settings.put("PAREX_FABRIC_HOST", Server.LOOPBACK);
        settings.put("PAREX_FABRIC_PORT", "0");
        more.forEach((setting, value) -> settings.put(Setting.variable(setting), value));
        // The others come from this process: its environment, and the flags of its JVM.
        ServerSettings.listeners(Given.here())
                .forEach((setting, value) -> settings.put(Setting.variable(setting), value));
        return settings;
    }

    /** How long members are waited for that wait for something themselves: no shorter than {@code usual}. */
    static Duration limit(Given given, Setting setting, Duration usual) {
        Duration asked = given.value(setting)
                .map(text -> {
                    try {
                        return DurationConverter.parseDuration(text);
                    } catch (IllegalArgumentException e) {
                        throw setting.refusal(text);
                    }
                })
                .orElse(usual);
        return (asked.compareTo(usual) > 0 ? asked : usual).plus(MARGIN);
    }

    private <T> List<T> await(Function<MemberProcess, CompletableFuture<T>> what) throws InterruptedException {
        List<CompletableFuture<T>> all = members.stream().map(what).toList();
        try {
            CompletableFuture.anyOf(anyFailed(all), CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)))
                    .get(startLimit.toMillis(), TimeUnit.MILLISECONDS);
            return all.stream().map(CompletableFuture::join).toList();
        } catch (ExecutionException | CompletionException e) {
            throw e.getCause() instanceof ParexException known
                    ? known
                    : new ParexException(ErrorKind.UNAVAILABLE, "the world did not start", e.getCause());
        } catch (TimeoutException e) {
            throw new ParexException(
                    ErrorKind.UNAVAILABLE, "the world did not start within " + startLimit.toSeconds() + " s", e);
        }
    }

    /** Fails with the first of them. */
    private static <T> CompletableFuture<Void> anyFailed(List<CompletableFuture<T>> all) {
        CompletableFuture<Void> failed = new CompletableFuture<>();
        all.forEach(each -> each.whenComplete((done, failure) -> {
            if (failure != null) {
                failed.completeExceptionally(failure);
            }
        }));
        return failed;
    }

    /** Where trainers find rank {@code rank}. */
    String endpoint(int rank) {
        return places.get(rank).endpoint();
    }

    /** Where all ranks are. */
    Places places() {
        SequencedMap<String, String> addresses = new LinkedHashMap<>();
        for (int rank = 0; rank < places.size(); rank++) {
            MemberLines.Listening place = places.get(rank);
            addresses.put(
                    "rank-" + rank,
                    "endpoint %s metrics %s/q/metrics health %s/q/health"
                            .formatted(place.endpoint(), place.management(), place.management()));
        }
        return new Places(addresses);
    }

    /** Fails when a member ends that nobody has asked to. */
    CompletableFuture<Void> anyLost() {
        return anyFailed(members.stream().map(MemberProcess::lost).toList());
    }

    /** Whether a process is that of a rank. */
    boolean has(ProcessHandle process) {
        return members.stream().anyMatch(member -> member.is(process));
    }

    /** Ends all members and waits for them; the status is 0 if all could end their calls. Idempotent. */
    synchronized int end() {
        if (ended) {
            return ExitCodes.GOOD;
        }
        ended = true;
        members.forEach(MemberProcess::endInOrder);
        int status = ExitCodes.GOOD;
        for (MemberProcess member : members) {
            try {
                status = Math.max(status, member.awaitEnd(endLimit));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return ExitCodes.CHECK_FAILED;
            }
        }
        return status;
    }

    @Override
    public void close() {
        end();
    }
}
