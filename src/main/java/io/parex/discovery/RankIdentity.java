package io.parex.discovery;

import io.parex.ParexException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which rank this process is, and how it knows.
 *
 * @param rank 0 to the world's size - 1
 * @param source what said so, such as "the ordinal of hostname job-3"
 */
public record RankIdentity(int rank, String source) {
    /** The setting, which comes before everything else. */
    public static final String SETTING = "parex.rank";
    /** The same in the environment. */
    public static final String VARIABLE = "PAREX_RANK";
    /**
     * Holds the pod's label {@code apps.kubernetes.io/pod-index}, given by the downward API. A pod on its host's
     * network has the host's name, so its ordinal is nowhere else.
     */
    public static final String POD_INDEX_VARIABLE = "PAREX_POD_INDEX";
    /** What launchers of training jobs set; last, as it may be meant for another program of the pod. */
    public static final String JOB_VARIABLE = "RANK";

    /**
     * The first that is there of: {@code parex.rank}, {@code PAREX_RANK}, {@code PAREX_POD_INDEX}, the ordinal at the
     * end of the hostname, {@code RANK}. An empty value counts as absent, since the downward API gives one for a label
     * that the pod has not. In a world of one rank only what names Parex counts: a host may well be called
     * {@code vm-3}.
     */
    public static RankIdentity of(
            Map<String, String> settings, Map<String, String> environment, String hostname, int worldSize) {
        Ranks ranks = new Ranks(worldSize);
        Claim setting = new Claim(SETTING, settings.get(SETTING));
        Claim variable = new Claim(VARIABLE, environment.get(VARIABLE));
        Claim podIndex = new Claim(POD_INDEX_VARIABLE, environment.get(POD_INDEX_VARIABLE));
        Claim ordinal = new Claim(
                "the ordinal of hostname " + hostname,
                PodName.of(hostname).map(PodName::ordinal).orElse(null));
        Claim job = new Claim(JOB_VARIABLE, environment.get(JOB_VARIABLE));
        List<Claim> claims = worldSize == 1
                ? List.of(setting, variable, podIndex)
                : List.of(setting, variable, podIndex, ordinal, job);
        Optional<RankIdentity> found =
                claims.stream().filter(Claim::isMade).findFirst().map(claim -> claim.check(ranks));
        if (found.isEmpty() && worldSize == 1) {
            return new RankIdentity(0, "the world's size of 1");
        }
        return found.orElseThrow(() -> nothing(hostname, ranks));
    }

    private static ParexException nothing(String hostname, Ranks ranks) {
        String looked = String.join(", ", SETTING, VARIABLE, POD_INDEX_VARIABLE);
        return ParexException.argument("nothing says which rank this is, and " + ranks + "; looked at " + looked
                + ", the end of the hostname '" + hostname + "' for -<ordinal>, and " + JOB_VARIABLE);
    }

    /** For the log: {@code rank 3 (from the ordinal of hostname job-3)}. */
    @Override
    public String toString() {
        return "rank " + rank + " (from " + source + ")";
    }

    /** A value and where it was found; null where there is none. */
    private record Claim(String source, String value) {
        boolean isMade() {
            return value != null && !value.isBlank();
        }

        RankIdentity check(Ranks ranks) {
            String text = value.strip();
            try {
                int rank = Integer.parseInt(text);
                if (ranks.has(rank)) {
                    return new RankIdentity(rank, source);
                }
            } catch (NumberFormatException e) {
                if (!text.matches("-?[0-9]+")) {
                    throw ParexException.argument(source + ": '" + text + "' is not a rank: " + ranks);
                }
            }
            throw ParexException.argument(source + ": there is no rank " + text + ": " + ranks);
        }
    }
}
