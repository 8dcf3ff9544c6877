package io.parex.discovery;

import static io.parex.discovery.Resolvers.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RankIdentityTest {
    private static final Map<String, String> NONE = Map.of();

    private static String of(Map<String, String> settings, Map<String, String> environment, String hostname, int size) {
        return RankIdentity.of(settings, environment, hostname, size).toString();
    }

    @Test
    void shouldTakeTheFirstSourceThatIsThere() {
        Map<String, String> settings = new HashMap<>(Map.of("parex.rank", "1"));
        Map<String, String> environment = new HashMap<>(Map.of("PAREX_RANK", "2", "PAREX_POD_INDEX", "3", "RANK", "5"));
        assertEquals("rank 1 (from parex.rank)", of(settings, environment, "job-4", 8));
        settings.clear();
        assertEquals("rank 2 (from PAREX_RANK)", of(settings, environment, "job-4", 8));
        environment.remove("PAREX_RANK");
        assertEquals("rank 3 (from PAREX_POD_INDEX)", of(settings, environment, "job-4", 8));
        environment.put("PAREX_POD_INDEX", "");
        assertEquals("rank 4 (from the ordinal of hostname job-4)", of(settings, environment, "job-4", 8));
        assertEquals("rank 5 (from RANK)", of(settings, environment, "host", 8));
    }

    @Test
    void shouldReadTheOrdinalOfAPod() {
        assertEquals(0, RankIdentity.of(NONE, NONE, "job-0", 16).rank());
        assertEquals(
                11,
                RankIdentity.of(NONE, NONE, "my-job-2-11.job.ns.svc.cluster.local", 16)
                        .rank());
        for (String other : new String[] {"job", "job3", "node-01", "job-3a", "-3", "a.job-3"}) {
            assertRefused("'" + other + "'", () -> RankIdentity.of(NONE, NONE, other, 16));
        }
    }

    @Test
    void shouldNameTheSourceOfAWrongRank() {
        assertRefused(
                "parex.rank: there is no rank 4: the world has ranks 0 to 3",
                () -> RankIdentity.of(Map.of("parex.rank", "4"), NONE, "job-1", 4));
        assertRefused(
                "PAREX_RANK: there is no rank -1", () -> RankIdentity.of(NONE, Map.of("PAREX_RANK", "-1"), "job-1", 4));
        assertRefused(
                "PAREX_POD_INDEX: 'two' is not a rank",
                () -> RankIdentity.of(NONE, Map.of("PAREX_POD_INDEX", "two"), "job-1", 4));
        assertRefused(
                "the ordinal of hostname job-7: there is no rank 7",
                () -> RankIdentity.of(NONE, Map.of("RANK", "1"), "job-7", 4));
        assertRefused("there is no rank 99999999999", () -> RankIdentity.of(NONE, NONE, "job-99999999999", 4));
        assertRefused("RANK: '1.5' is not a rank", () -> RankIdentity.of(NONE, Map.of("RANK", "1.5"), "job", 4));
    }

    @Test
    void shouldSayWhatItLookedAt() {
        assertRefused(
                "nothing says which rank this is, and the world has ranks 0 to 3; looked at parex.rank, PAREX_RANK,"
                        + " PAREX_POD_INDEX, the end of the hostname 'host' for -<ordinal>, and RANK",
                () -> RankIdentity.of(NONE, NONE, "host", 4));
    }

    @Test
    void shouldBeRankZeroInAWorldOfOne() {
        assertEquals("rank 0 (from the world's size of 1)", of(NONE, Map.of("RANK", "5"), "vm-3", 1));
        assertRefused(
                "parex.rank: there is no rank 1: the world has rank 0 only",
                () -> RankIdentity.of(Map.of("parex.rank", "1"), NONE, "vm-3", 1));
    }
}
