package io.parex.tensor;

import java.util.concurrent.atomic.AtomicReference;

/**
 * A stack of idle blocks. Lock-free, any thread. Each push makes a node of its own, so the collector rules out that a
 * popped node comes back under a racing pop (the ABA fault). Last in, first out: the block handed out is the one still
 * in cache.
 */
final class FreeList {
    private final AtomicReference<Node> head = new AtomicReference<>();

    private record Node(Block block, Node next) {}

    void push(Block block) {
        Node top;
        do {
            top = head.get();
        } while (!head.compareAndSet(top, new Node(block, top)));
    }

    /** An idle block, or null if there is none. */
    Block pop() {
        Node top;
        do {
            top = head.get();
            if (top == null) {
                return null;
            }
        } while (!head.compareAndSet(top, top.next()));
        return top.block();
    }
}
