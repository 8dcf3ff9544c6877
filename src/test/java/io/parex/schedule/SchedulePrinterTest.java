package io.parex.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.algorithm.DisseminationBarrier;
import io.parex.algorithm.RingAllReduce;
import io.parex.algorithm.Worlds;
import io.parex.algorithm.Worlds.InPlace;
import org.junit.jupiter.api.Test;

class SchedulePrinterTest {

    @Test
    void shouldPrintARingInPlace() {
        WorldSchedules ring = Worlds.of(new RingAllReduce(), 4, 10, 0, InPlace.ALL);
        assertEquals("""
            all_reduce ring, rank 1 of 4, scratch0 of 3 (pipe), scratch1 of 2 (pipe)
            step  action                 slices                                  waits for
               0  send to 2 #0           input[3,6)
               1  recv_reduce from 0 #0  scratch0[0,3) = values + input[0,3)
               2  send to 2 #1           scratch0[0,3)                           1
               3  recv_reduce from 0 #1  scratch1[0,2) = partials + input[8,10)
               4  send to 2 #2           scratch1[0,2)                           3
               5  recv_reduce from 0 #2  output[6,8) = partials + input[6,8)
               6  send to 2 #3           output[6,8)                             5
               7  recv from 0 #3         output[3,6)                             0
               8  send to 2 #4           output[3,6)                             7
               9  recv from 0 #4         output[0,3)                             1
              10  send to 2 #5           output[0,3)                             9
              11  recv from 0 #5         output[8,10)                            3
            """, SchedulePrinter.print(ring.ranks().get(1)));
    }

    @Test
    void shouldPrintAllRanksOfABarrier() {
        WorldSchedules barrier = Worlds.of(new DisseminationBarrier(), 3, 0, 0, InPlace.NONE);
        String[] tables = SchedulePrinter.print(barrier.ranks()).split("\n\n");
        assertEquals(3, tables.length);
        assertEquals("""
            barrier dissemination, rank 1 of 3
            step  action          slices       waits for
               0  send to 2 #0    output[0,0)
               1  recv from 0 #0  output[0,0)
               2  send to 0 #0    output[0,0)  1!
               3  recv from 2 #0  output[0,0)  1!\
            """, tables[1]);
    }

    @Test
    void shouldPrintLocalStepsAndShiftedWaits() {
        ScheduleBuilder builder = new ScheduleBuilder("test", Problem.of(Primitive.ALL_REDUCE, 0, 1, 20, 0, false));
        Buffer scratch = builder.scratch(8);
        builder.copy(new Slice(Buffer.INPUT, 0, 8), new Slice(scratch, 0, 8))
                .reduce(new Slice(scratch, 0, 4), new Slice(scratch, 4, 4), new Slice(scratch, 0, 4))
                .copy(new Slice(scratch, 0, 8), new Slice(Buffer.OUTPUT, 0, 8));
        builder.scratch(8);
        assertEquals("""
            all_reduce test, rank 0 of 1, scratch0..1 of 8
            step  action  slices                                         waits for
               0  copy    scratch0[0,8) = input[0,8)
               1  reduce  scratch0[0,4) = scratch0[0,4) + scratch0[4,8)  0-4
               2  copy    output[0,8) = scratch0[0,8)                    0 1
            """, SchedulePrinter.print(builder.build()));
    }
}
