package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class HostedRanksTest {
    private static HostedRanks ranks(int size) {
        return new HostedRanks(LocalWorld.start(size, WorldOptions.DEFAULT), "test");
    }

    private static void assertRefused(String text, Executable call) {
        ParexException refusal = assertThrows(ParexException.class, call);
        assertEquals(ErrorKind.ARGUMENT, refusal.kind());
        assertTrue(refusal.getMessage().contains(text), refusal::getMessage);
    }

    @Test
    void shouldGiveTheOneRankToWhoeverNamesNone() {
        try (HostedRanks ranks = ranks(1)) {
            assertEquals(0, ranks.world(OptionalInt.empty()).rank());
            assertEquals(0, ranks.only().rank());
            assertRefused("rank 3 is not hosted by this process, which hosts 0", () -> ranks.world(OptionalInt.of(3)));
        }
    }

    @Test
    void shouldNameTheRanksWhereSeveralAreHosted() {
        try (HostedRanks ranks = ranks(3)) {
            assertEquals(2, ranks.world(OptionalInt.of(2)).rank());
            assertRefused("this process hosts several: 0, 1, 2", () -> ranks.world(OptionalInt.empty()));
            assertRefused("this process hosts 0, 1, 2: inject HostedRanks", ranks::only);
        }
    }

    @Test
    void shouldMissRanksThatHaveLeft() {
        try (HostedRanks ranks = ranks(2)) {
            assertEquals(0, ranks.missing().size());
            ranks.worlds().get(1).close();
            assertEquals(1, ranks.missing().getFirst());
        }
    }
}
