package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferPoolTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private final BufferPool pool = new BufferPool(8 * MIB);

    @AfterEach
    void closePool() {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 256",
        "1, 256",
        "256, 256",
        "257, 512",
        "65536, 65536",
        "65537, 131072",
        "1048575, 1048576",
        "1048576, 1048576",
        "1048577, 1052672",
        "5000000, 5001216"
    })
    void shouldLendExactlyTheSizeAskedForFromTheNextBlockSize(long asked, long block) {
        try (PooledBuffer buffer = pool.acquire(asked)) {
            assertEquals(asked, buffer.byteSize());
            assertEquals(asked, buffer.segment().byteSize());
            assertTrue(buffer.segment().isNative());
            assertEquals(0, buffer.segment().address() % 64);
            assertEquals(block, pool.usedBytes());
        }
        assertEquals(0, pool.usedBytes());
    }

    @ParameterizedTest
    @CsvSource({"1000, 600", "1048576, 600000", "3000000, 2600000"})
    void shouldLendTheSameMemoryAgainWithoutZeroingIt(long first, long second) {
        long address;
        try (PooledBuffer buffer = pool.acquire(first)) {
            address = buffer.segment().address();
            buffer.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 42);
        }
        long held = pool.heldBytes();
        try (PooledBuffer buffer = pool.acquire(second)) {
            assertEquals(address, buffer.segment().address());
            assertEquals(42, buffer.segment().get(ValueLayout.JAVA_BYTE, 0));
            assertEquals(held, pool.heldBytes());
        }
    }

    @Test
    void shouldNotLendMemoryTwiceAtOnce() {
        List<PooledBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            PooledBuffer buffer = pool.acquire(300);
            buffer.segment().fill((byte) i);
            buffers.add(buffer);
        }
        for (int i = 0; i < 300; i++) {
            assertEquals((byte) i, buffers.get(i).segment().get(ValueLayout.JAVA_BYTE, 0));
            assertEquals((byte) i, buffers.get(i).segment().get(ValueLayout.JAVA_BYTE, 299));
            buffers.get(i).release();
        }
    }

    @Test
    void shouldRefuseASecondReleaseAndUseAfterRelease() {
        PooledBuffer buffer = pool.acquire(100);
        buffer.release();
        assertThrows(IllegalStateException.class, buffer::release);
        assertThrows(IllegalStateException.class, buffer::close);
        assertThrows(IllegalStateException.class, buffer::segment);
        PooledBuffer first = pool.acquire(100);
        PooledBuffer second = pool.acquire(100);
        assertTrue(first.segment().address() != second.segment().address(), "the second release lent it twice");
        first.release();
        second.release();
        assertEquals(0, pool.usedBytes());
    }

    @Test
    void shouldRefuseWhatPassesTheLimitAndSayTheNumbers() {
        List<PooledBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            buffers.add(pool.acquire(MIB));
        }
        for (long wanted : new long[] {1, 1000, MIB, 2 * MIB, Long.MAX_VALUE}) {
            ParexException refusal = assertThrows(ParexException.class, () -> pool.acquire(wanted));
            assertEquals(ErrorKind.OVERLOADED, refusal.kind());
            assertEquals(
                    "a buffer of " + wanted + " bytes is refused: the pool's limit is 8388608 bytes,"
                            + " 8388608 are used and 8388608 held; nothing was reserved",
                    refusal.getMessage());
        }
        assertEquals(8 * MIB, pool.usedBytes());
        buffers.forEach(PooledBuffer::release);
        assertEquals(0, pool.usedBytes());
        assertEquals(8 * MIB, pool.limitBytes());
    }

    @Test
    void shouldTurnKeptMemoryIntoAnySizeThatIsWanted() {
        for (long size : new long[] {256, MIB, 64 * KIB, 8 * MIB, 512, 3 * MIB, 256 * KIB}) {
            List<PooledBuffer> buffers = new ArrayList<>();
            for (long bytes = 0; bytes + size <= pool.limitBytes(); bytes += size) {
                buffers.add(pool.acquire(size));
                assertTrue(pool.heldBytes() <= pool.limitBytes());
            }
            assertEquals(pool.limitBytes() / size * size, pool.usedBytes());
            buffers.forEach(PooledBuffer::release);
        }
    }

    @Test
    void shouldServeFromLargerIdleBlocksBeforeItRefuses() {
        List<PooledBuffer> buffers = new ArrayList<>();
        while (pool.usedBytes() < pool.limitBytes()) {
            buffers.add(pool.acquire(32 * KIB));
        }
        // Every slab now keeps one block lent, so none can be freed, and no small block exists.
        for (int i = 0; i < buffers.size(); i += 2) {
            buffers.get(i).release();
        }
        try (PooledBuffer small = pool.acquire(256)) {
            assertEquals(256, small.segment().byteSize());
        }
        for (int i = 1; i < buffers.size(); i += 2) {
            buffers.get(i).release();
        }
        assertEquals(0, pool.usedBytes());
    }

    @Test
    void shouldGiveBackWhatIsIdleWhenTrimmed() {
        PooledBuffer kept = pool.acquire(1000);
        pool.acquire(3 * MIB).release();
        pool.acquire(MIB).release();
        assertTrue(pool.heldBytes() > 4 * MIB);
        pool.trim();
        assertTrue(pool.heldBytes() <= 64 * KIB, pool.heldBytes() + " held");
        kept.segment().fill((byte) 1);
        kept.release();
        pool.trim();
        assertEquals(0, pool.heldBytes());
    }

    @Test
    void shouldWorkUnderALimitBelowOneSlab() {
        try (BufferPool small = new BufferPool(1000)) {
            List<PooledBuffer> buffers = List.of(small.acquire(1), small.acquire(256), small.acquire(200));
            assertEquals(768, small.usedBytes());
            assertEquals(ErrorKind.OVERLOADED, kindOf(() -> small.acquire(1)));
            buffers.forEach(PooledBuffer::release);
            small.acquire(512).release();
        }
        try (BufferPool nothing = new BufferPool(0)) {
            assertEquals(ErrorKind.OVERLOADED, kindOf(() -> nothing.acquire(0)));
        }
    }

    @Test
    void shouldFreeLentMemoryOnCloseAndStillTakeItsRelease() {
        for (long bytes : new long[] {1000, 2 * MIB}) {
            BufferPool closing = new BufferPool(4 * MIB);
            PooledBuffer lent = closing.acquire(bytes);
            MemorySegment segment = lent.segment();
            closing.close();
            closing.close();
            assertThrows(IllegalStateException.class, () -> segment.fill((byte) 1));
            assertDoesNotThrow(lent::release);
            assertThrows(IllegalStateException.class, lent::release);
            assertEquals(ErrorKind.UNAVAILABLE, kindOf(() -> closing.acquire(bytes)));
            assertEquals(0, closing.heldBytes());
            assertEquals(0, closing.usedBytes());
        }
    }

    @Test
    void shouldRefuseNegativeSizes() {
        assertEquals(ErrorKind.ARGUMENT, kindOf(() -> pool.acquire(-1)));
        assertEquals(ErrorKind.ARGUMENT, kindOf(() -> new BufferPool(-1)));
    }

    private static ErrorKind kindOf(Runnable call) {
        return assertThrows(ParexException.class, call::run).kind();
    }
}
