package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.service.Setting;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How long the processes of ranks are waited for; {@link MemberWorldIT} starts some. */
class MemberWorldTest {
    private static final Duration USUAL = Duration.ofSeconds(25);

    @ParameterizedTest
    @CsvSource({"1s, 40", "25s, 40", "2m, 135", "60, 75"})
    void shouldWaitForLongerThanTheMembersDo(String drain, long expectedSeconds) {
        Duration limit = MemberWorld.limit(drain(drain), Setting.TIMEOUT_DRAIN, USUAL);
        assertEquals(expectedSeconds, limit.toSeconds());
    }

    @Test
    void shouldRefuseWhatIsNoDuration() {
        ParexException refusal = assertThrows(
                ParexException.class, () -> MemberWorld.limit(drain("soon"), Setting.TIMEOUT_DRAIN, USUAL));
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
    }

    private static Given drain(String value) {
        return Given.of(Map.of(), Map.of("PAREX_TIMEOUT_DRAIN", value));
    }
}
