package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScheduleCommandTest {

    @Test
    void shouldPrintOneRank() {
        Invocation schedule = Invocation.of("schedule", "all_reduce", "ring", "-n", "3", "--rank", "1", "--count", "6");
        assertEquals(ExitCodes.GOOD, schedule.exit(), schedule.err());
        assertTrue(schedule.out().startsWith("all_reduce ring, rank 1 of 3"), schedule.out());
        assertTrue(schedule.out().contains("send to 2"), schedule.out());
        assertTrue(schedule.out().endsWith("\n"));
        assertEquals("", schedule.err());
    }

    @Test
    void shouldPrintAllRanks() {
        String out = Invocation.of("schedule", "broadcast", "binomial", "-n", "4", "--root", "2")
                .out();
        for (int rank = 0; rank < 4; rank++) {
            assertTrue(out.contains("broadcast binomial, rank " + rank + " of 4"), out);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            send ring -n 2                | no primitive 'send' with algorithms; known: barrier, broadcast
            scatter binomial -n 3 --count 7 | --count must be a multiple of 3 for the algorithm 'binomial', not 7
            all_reduce bush -n 2          | no algorithm 'bush' for all_reduce; known: ring, recursive_doubling
            all_reduce ring -n 2 --rank 2 | --rank 2 is not a rank of a world of 2
            all_reduce ring -n 2 --root 9 | --root 9 is not a rank of a world of 2
            all_reduce ring -n 2 --count -1 | --count must be at least 0, not -1
            all_reduce                    | Missing required parameter: 'ALGORITHM'
            """)
    void shouldRefuseWrongUsage(String arguments, String message) {
        Invocation schedule = Invocation.of(("schedule " + arguments).split(" +"));
        assertEquals(ExitCodes.USAGE, schedule.exit(), schedule.err());
        assertEquals("", schedule.out());
        assertTrue(schedule.err().contains(message), schedule.err());
    }
}
