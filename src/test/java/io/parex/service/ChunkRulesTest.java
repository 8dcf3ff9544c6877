package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.v1.CallHeader;
import io.parex.world.CallOptions;
import io.parex.world.LocalWorld;
import io.parex.world.WorldOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChunkRulesTest {
    private final LocalWorld world = LocalWorld.start(1, WorldOptions.DEFAULT);

    @AfterEach
    void stop() {
        world.close();
    }

    private CallPlan plan(Shape input) {
        return new CallPlan(
                world.rank(0).group(),
                Primitive.ISEND,
                CallHeader.getDefaultInstance(),
                input,
                null,
                Sharing.NONE,
                CallOptions.DEFAULT,
                (in, out, options) -> null,
                null);
    }

    private void assertRefused(ErrorKind kind, String text, ParexException refusal) {
        assertEquals(kind, refusal.kind());
        assertEquals(text, refusal.getMessage());
    }

    @Test
    void shouldTakeWholeElementsUpToTheEnd() {
        CallPlan plan = plan(new Shape(DataType.FLOAT32, 1000));
        assertNull(ChunkRules.refuse(400, 0, 4000, plan));
        assertNull(ChunkRules.refuse(3600, 400, 4000, plan));
        assertNull(ChunkRules.refuse(0, 4000, 4000, plan));
    }

    @Test
    void shouldRefuseWhatDoesNotFit() {
        CallPlan plan = plan(new Shape(DataType.FLOAT32, 1000));
        assertRefused(
                ErrorKind.ARGUMENT,
                "a chunk of 7 bytes at byte 400 of 1000 float32 is not a whole number of elements",
                ChunkRules.refuse(7, 400, 4000, plan));
        assertRefused(
                ErrorKind.ARGUMENT,
                "a chunk of 8 bytes at byte 3996 goes beyond the 4000 bytes of the 1000 float32 declared",
                ChunkRules.refuse(8, 3996, 4000, plan));
        assertRefused(
                ErrorKind.PROTOCOL,
                "a chunk of 8 bytes at byte 400 goes beyond the credit, which ends at byte 404",
                ChunkRules.refuse(8, 400, 404, plan));
        assertRefused(
                ErrorKind.ARGUMENT,
                "a chunk of 1048580 bytes at byte 0 is larger than the 1048576 taken; send the tensor in smaller ones",
                ChunkRules.refuse((1 << 20) + 4, 0, 1 << 30, plan(new Shape(DataType.FLOAT32, 1 << 28))));
        assertRefused(
                ErrorKind.ARGUMENT,
                "isend takes no input on rank 0, but a chunk of 4 bytes came",
                ChunkRules.refuse(4, 0, 0, plan(null)));
    }
}
