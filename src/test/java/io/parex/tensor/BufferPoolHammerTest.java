package io.parex.tensor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads that lend, mark, check and release, half of the buffers on another thread than the one that took them.
 */
class BufferPoolHammerTest {
    private static final int THREADS = 6;
    private static final int ROUNDS = 20_000;

    /**
     * Ample, so that the lock-free path is taken; and tight, so that memory is refused and turned over all the time.
     */
    @ParameterizedTest
    @ValueSource(longs = {256 << 20, 4 << 20})
    void shouldNeverLendMemoryTwiceNorPassTheLimit(long limitBytes) throws Exception {
        try (BufferPool pool = new BufferPool(limitBytes);
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            BlockingQueue<PooledBuffer> handedOver = new LinkedBlockingQueue<>();
            List<Callable<Integer>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long seed = i;
                tasks.add(() -> hammer(pool, handedOver, seed));
            }
            int lent = sum(threads.invokeAll(tasks));
            handedOver.forEach(BufferPoolHammerTest::checkAndRelease);
            assertTrue(lent > ROUNDS, lent + " lent");
            assertEquals(0, pool.usedBytes());
            pool.trim();
            assertEquals(0, pool.heldBytes());
        }
    }

    private static int hammer(BufferPool pool, BlockingQueue<PooledBuffer> handedOver, long seed) {
        Random random = new Random(seed);
        int lent = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try {
                PooledBuffer buffer = pool.acquire(8 + random.nextLong(1L << (4 + random.nextInt(18))));
                lent++;
                mark(buffer, random.nextLong());
                if (random.nextBoolean()) {
                    handedOver.add(buffer);
                } else {
                    checkAndRelease(buffer);
                }
            } catch (ParexException e) {
                assertEquals(ErrorKind.OVERLOADED, e.kind());
            }
            assertTrue(pool.heldBytes() <= pool.limitBytes());
            PooledBuffer others = handedOver.size() > 8 ? handedOver.poll() : null;
            if (others != null) {
                checkAndRelease(others);
            }
        }
        return lent;
    }

    /** Writes one number at both ends; another holder of the same memory would change one of them. */
    private static void mark(PooledBuffer buffer, long number) {
        MemorySegment segment = buffer.segment();
        segment.set(ValueLayout.JAVA_LONG_UNALIGNED, segment.byteSize() - Long.BYTES, number);
        segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
    }

    private static void checkAndRelease(PooledBuffer buffer) {
        MemorySegment segment = buffer.segment();
        if (segment.byteSize() >= 2 * Long.BYTES) {
            assertEquals(
                    segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 0),
                    segment.get(ValueLayout.JAVA_LONG_UNALIGNED, segment.byteSize() - Long.BYTES));
        }
        buffer.release();
    }

    private static int sum(List<Future<Integer>> results) throws ExecutionException, InterruptedException {
        int sum = 0;
        for (Future<Integer> result : results) {
            sum += result.get();
        }
        return sum;
    }
}
