package io.parex.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private final Queue<Runnable> executor = new ArrayDeque<>();
    private final List<String> seen = new ArrayList<>();
    private final Mailbox mailbox = new Mailbox(executor::add, bug -> seen.add("bug " + bug.getMessage()));

    @Test
    void shouldRunAtOnceWhenIdle() {
        mailbox.run(() -> seen.add("a"));
        assertEquals(List.of("a"), seen);
        assertTrue(executor.isEmpty());
    }

    @Test
    void shouldLeaveWhatComesMeanwhileToTheExecutor() {
        mailbox.run(() -> {
            mailbox.run(() -> seen.add("b"));
            mailbox.post(() -> seen.add("c"));
            seen.add("a");
        });
        assertEquals(List.of("a"), seen);
        executor.remove().run();
        assertEquals(List.of("a", "b", "c"), seen);
        assertTrue(executor.isEmpty());
    }

    @Test
    void shouldKeepTheOrderOfPostedAndRunTasks() {
        mailbox.post(() -> seen.add("a"));
        mailbox.run(() -> seen.add("b"));
        executor.remove().run();
        assertEquals(List.of("a", "b"), seen);
    }

    @Test
    void shouldGoOnAfterAnException() {
        mailbox.post(() -> {
            throw new IllegalStateException("oops");
        });
        mailbox.post(() -> seen.add("b"));
        executor.remove().run();
        assertEquals(List.of("bug oops", "b"), seen);
    }

    @Test
    void shouldKeepTheOrderOfEachThread() throws InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(6)) {
            int tasks = 50_000;
            int[] last = new int[4];
            int[] wrong = new int[1];
            CountDownLatch done = new CountDownLatch(4 * tasks);
            Mailbox shared = new Mailbox(pool, bug -> {});
            for (int thread = 0; thread < 4; thread++) {
                int me = thread;
                pool.execute(() -> {
                    for (int i = 1; i <= tasks; i++) {
                        int mine = i;
                        Runnable task = () -> {
                            wrong[0] += last[me] == mine - 1 ? 0 : 1;
                            last[me] = mine;
                            done.countDown();
                        };
                        if (mine % 3 == 0) {
                            shared.post(task);
                        } else {
                            shared.run(task);
                        }
                    }
                });
            }
            assertTrue(done.await(20, TimeUnit.SECONDS));
            assertEquals(0, wrong[0]);
        }
    }

    @Test
    void shouldRunOneTaskAtATime() throws InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(4)) {
            int[] unguarded = new int[1];
            int tasks = 20_000;
            CountDownLatch done = new CountDownLatch(4 * tasks);
            Mailbox shared = new Mailbox(pool, bug -> {});
            for (int thread = 0; thread < 4; thread++) {
                boolean posts = thread % 2 == 0;
                pool.execute(() -> {
                    for (int i = 0; i < tasks; i++) {
                        Runnable task = () -> {
                            unguarded[0]++;
                            done.countDown();
                        };
                        if (posts) {
                            shared.post(task);
                        } else {
                            shared.run(task);
                        }
                    }
                });
            }
            assertTrue(done.await(20, TimeUnit.SECONDS));
            assertEquals(4 * tasks, unguarded[0]);
        }
    }
}
