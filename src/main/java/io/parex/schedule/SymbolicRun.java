package io.parex.schedule;

import java.util.BitSet;
import java.util.function.Supplier;

/**
 * One run of all ranks' schedules on symbolic values, under rendezvous: nothing is buffered, a send lends its elements
 * and is as far as its receiver has consumed them, and each is read at that moment, as late as can be. Whenever several
 * steps can go on, the {@link Interleaving} says which one does; unfavourable ones let a step overtake whatever it was
 * not told to wait for, so that a missing edge shows as a wrong value or as a write under a loan.
 */
final class SymbolicRun {
    private final StepTable table;
    private final Interleaving order;
    private final Expressions expressions;
    private final SymbolicMemory memory;
    private final long[] done;
    private final BitSet over = new BitSet();
    private final BitSet runnable = new BitSet();
    private final Loans loans;
    private final Checks checks;

    SymbolicRun(StepTable table, Loans loans, Expressions expressions, Interleaving order, Checks checks) {
        this.table = table;
        this.loans = loans;
        this.order = order;
        this.checks = checks;
        this.expressions = expressions;
        this.memory = new SymbolicMemory(table.world(), expressions, order.pipeWindow());
        this.done = new long[table.count()];
    }

    /** Runs to the end and returns the memory; a deadlock or a read or write that must not be is thrown. */
    SymbolicMemory run() {
        for (int id = 0; id < table.count(); id++) {
            wake(id);
        }
        for (int place = order.highest(runnable); place >= 0; place = order.highest(runnable)) {
            int id = order.step(place);
            if (over.get(id) || !canGoOn(id)) {
                runnable.clear(place);
            } else {
                advance(id, order.piece(available(id)));
            }
        }
        checks.test(over.cardinality() == table.count(), () -> new Standstill(table, done, over).describe());
        return memory;
    }

    /** How many more elements a step that is not a send may work through now. */
    private long available(int id) {
        long limit = limit(id);
        int send = table.partner(id);
        if (send != StepTable.NONE) {
            limit = Math.min(limit, limit(send));
        }
        int pipeReader = loans.pipeEnd(id);
        if (pipeReader != StepTable.NONE) {
            limit = Math.min(limit, done[pipeReader] + order.pipeWindow());
        }
        return limit - done[id];
    }

    private long limit(int id) {
        long limit = table.step(id).length();
        for (Edge edge : table.waits(id)) {
            int from = table.from(id, edge);
            limit = Math.min(limit, edge.limit(done[from], over.get(from)));
        }
        return limit;
    }

    /** A step of length 0 can be over only when it, and the send it may receive from, has nothing to wait for. */
    private boolean canGoOn(int id) {
        if (table.step(id).length() > 0) {
            return available(id) > 0;
        }
        int send = table.partner(id);
        return allOver(id) && (send == StepTable.NONE || allOver(send));
    }

    private boolean allOver(int id) {
        for (Edge edge : table.waits(id)) {
            if (!over.get(table.from(id, edge))) {
                return false;
            }
        }
        return true;
    }

    private void advance(int id, long elements) {
        for (long element = done[id]; element < done[id] + elements; element++) {
            work(id, element);
        }
        int send = table.partner(id);
        progress(id, elements);
        if (send != StepTable.NONE) {
            progress(send, elements);
        }
    }

    private void progress(int id, long elements) {
        done[id] += elements;
        over.set(id, done[id] == table.step(id).length());
        wake(id);
        for (int dependent : table.dependents(id)) {
            wake(dependent);
        }
        if (table.isSend(id) && loans.pipeEnd(id) != StepTable.NONE) {
            wake(loans.pipeEnd(id));
        }
    }

    /** Has the step, or the receiver of the send, looked at again. */
    private void wake(int id) {
        runnable.set(order.place(table.isSend(id) ? table.partner(id) : id));
    }

    private void work(int id, long element) {
        switch (table.step(id)) {
            case Step.Recv recv -> store(id, received(id, element), recv.partial(), recv.target(), element);
            case Step.RecvReduce recv -> {
                int own = read(id, recv.own(), element);
                int other = received(id, element);
                reduce(id, recv.target(), element, recv.ownFirst() ? own : other, recv.ownFirst() ? other : own);
            }
            case Step.Reduce reduce ->
                reduce(
                        id,
                        reduce.target(),
                        element,
                        read(id, reduce.left(), element),
                        read(id, reduce.right(), element));
            case Step.Copy copy -> {
                // The input alone is reduced, too, if it goes straight to the output.
                boolean unfinished = !copy.source().buffer().equals(Buffer.OUTPUT);
                store(id, read(id, copy.source(), element), unfinished, copy.target(), element);
            }
            case Step.Send send -> throw new AssertionError("a send has no work of its own");
        }
    }

    private int received(int id, long element) {
        int send = table.partner(id);
        return read(send, table.source(send), element);
    }

    private void store(int id, int value, boolean unfinished, Slice target, long element) {
        boolean finish = table.world().primitive().reducing()
                && unfinished
                && !target.buffer().isScratch();
        write(id, target, element, finish ? expressions.finished(value) : value);
    }

    private void reduce(int id, Slice target, long element, int left, int right) {
        test(
                expressions.element(left) == expressions.element(right),
                id,
                () -> "combines different elements: " + expressions.render(left) + " and " + expressions.render(right));
        int sum = expressions.sum(left, right);
        write(id, target, element, target.buffer().isScratch() ? sum : expressions.finished(sum));
    }

    private int read(int id, Slice slice, long element) {
        int value = memory.read(table.rank(id), slice, element);
        test(
                value != Expressions.UNDEFINED,
                id,
                () -> "reads element " + element + " of " + slice + " before it was written");
        return value;
    }

    private void write(int id, Slice target, long element, int value) {
        for (int send : loans.lenders(id)) {
            Slice source = table.source(send);
            long lent = target.offset() + element - source.offset();
            boolean free = lent < done[send] || lent >= limit(send);
            test(
                    free,
                    id,
                    () -> "writes element " + element + " of " + target + " while it is lent to "
                            + table.describe(send));
        }
        memory.write(table.rank(id), target, element, value);
    }

    private void test(boolean good, int id, Supplier<String> fault) {
        checks.test(good, () -> table.describe(id) + " " + fault.get());
    }
}
