package io.parex.service;

import io.parex.discovery.RankIdentity;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names in the environment that look like settings. The configuration library refuses unknown properties only. */
final class ForeignVariables {
    private static final String PREFIX = "PAREX_";

    /**
     * What the launcher reads, what says which pod this is, and what {@code parex run} tells a job's processes, which
     * may start Parex again.
     */
    private static final Set<String> OF_JOBS =
            Set.of("PAREX_JAVA_OPTS", "PAREX_ENDPOINT", "PAREX_JOB", RankIdentity.POD_INDEX_VARIABLE);

    /** What Kubernetes tells every pod beside a service named parex or parex-something. */
    private static final Pattern OF_SERVICES = Pattern.compile(
            "PAREX_([A-Z0-9_]+_)?(SERVICE_HOST|SERVICE_PORT(_[A-Z0-9_]+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_[A-Z]+)?)?)");

    private static final Set<String> SETTINGS =
            Arrays.stream(Setting.values()).map(Setting::variable).collect(Collectors.toSet());

    private ForeignVariables() {}

    /** Refuses a name that begins like that of a setting and is none: most likely one that is misspelt. */
    static void refuse(Collection<String> names) {
        unknown(names).findFirst().ifPresent(name -> {
            throw Setting.unknown(name);
        });
    }

    private static Stream<String> unknown(Collection<String> names) {
        return names.stream()
                .filter(name -> name.startsWith(PREFIX))
                .filter(name -> !SETTINGS.contains(name) && !OF_JOBS.contains(name))
                .filter(name -> !OF_SERVICES.matcher(name).matches())
                .sorted();
    }
}
