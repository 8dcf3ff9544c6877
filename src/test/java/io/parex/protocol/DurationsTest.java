package io.parex.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Durations in words. */
class DurationsTest {

    @Test
    void shouldUseTheUnitThatLeavesSomethingToRead() {
        assertEquals("600.0 s", Durations.words(600_000_000_000L));
        assertEquals("1.0 s", Durations.words(1_000_000_000L));
        assertEquals("3.3 s", Durations.words(3_299_999_999L));
        assertEquals("999 ms", Durations.words(999_999_999L));
        assertEquals("1 ms", Durations.words(1_000_000L));
        assertEquals("999 us", Durations.words(999_999L));
        assertEquals("0 ms", Durations.words(0));
    }
}
