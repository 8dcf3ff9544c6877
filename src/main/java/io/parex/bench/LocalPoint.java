package io.parex.bench;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.world.Work;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The ranks that live in this process. */
final class LocalPoint implements Point {
    private final Workload workload;
    private final Caller caller;
    private final CallTap tap;
    private final Map<Integer, Work> started = new TreeMap<>();

    LocalPoint(Workload workload, Caller caller, CallTap tap) {
        this.workload = workload;
        this.caller = caller;
        this.tap = tap;
    }

    @Override
    public Traits traits() {
        return workload.traits();
    }

    @Override
    public void prepare() {
        workload.prepare();
    }

    @Override
    public void start(int rank, long index) {
        started.put(rank, workload.start(rank, index));
    }

    @Override
    public boolean endsWithin(int rank, Duration limit) {
        Work work = started.get(rank);
        try {
            work.await(limit);
            return true;
        } catch (ParexException e) {
            if (e.kind() == ErrorKind.TIMEOUT) {
                return work.isDone();
            }
            throw e;
        }
    }

    @Override
    public void await(Duration limit) {
        started.values().forEach(work -> work.await(limit));
        started.clear();
    }

    @Override
    public long wrong() {
        return workload.wrong();
    }

    @Override
    public List<long[]> run(int calls, Duration limit) {
        return caller.run(workload, calls, limit);
    }

    @Override
    public String algorithm() {
        return tap.algorithm();
    }
}
