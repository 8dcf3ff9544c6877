package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.v1.CallHeader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallOrderTest {
    private final CallOrder order = new CallOrder(Party.rpc("session 'a'"));
    private final List<Long> launched = new ArrayList<>();

    private void submit(long number) {
        order.submit(CallHeader.newBuilder().setCallNumber(number).build(), () -> launched.add(number));
    }

    @Test
    void shouldLaunchInTheOrderOfTheNumbers() {
        submit(3);
        submit(2);
        assertEquals(List.of(), launched);
        submit(1);
        submit(4);
        assertEquals(List.of(1L, 2L, 3L, 4L), launched);
    }

    @Test
    void shouldNotLaunchARepetition() {
        submit(1);
        submit(3);
        assertEquals(
                ErrorKind.ARGUMENT,
                assertThrows(ParexException.class, () -> submit(1)).kind());
        ParexException held = assertThrows(ParexException.class, () -> submit(3));
        assertTrue(
                held.getMessage().contains("call number 3 of session 'a' was used before, the next is 2"),
                held::getMessage);
        submit(2);
        assertEquals(List.of(1L, 2L, 3L), launched);
    }

    @Test
    void shouldLaunchCallsWithoutANumberAtOnce() {
        order.submit(CallHeader.getDefaultInstance(), () -> launched.add(0L));
        assertEquals(List.of(0L), launched);
    }

    @Test
    void shouldHoldALimitedNumberOfCalls() {
        for (int i = 0; i < EdgeLimits.CALLS_HELD; i++) {
            submit(2 + i);
        }
        long oneMore = 2 + EdgeLimits.CALLS_HELD;
        assertEquals(
                ErrorKind.OVERLOADED,
                assertThrows(ParexException.class, () -> submit(oneMore)).kind());
        submit(1);
        submit(oneMore);
        assertEquals(EdgeLimits.CALLS_HELD + 2, launched.size());
    }
}
