package io.parex.bench.verify;

import io.parex.ParexException;
import io.parex.tensor.DataType;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.Completion;
import io.parex.world.LocalWorld;
import io.parex.world.PointToPoint;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A check of a barrier: nobody leaves before the last rank has come. After all others have called, every rank passes a
 * message to the next, as often as a barrier has rounds, which gives one that does not wait all the time it needs.
 */
final class BarrierRun extends Run {
    private static final int TAG = 11;

    private final Map<Integer, Work> works = new TreeMap<>();

    BarrierRun(Check check) {
        super(check);
    }

    @Override
    void start(LocalWorld world, Calls calls) {
        int last = check().root();
        for (int rank : check().callers()) {
            if (rank != last) {
                call(world, calls, rank);
            }
        }
        for (int round = 1; round < check().ranks(); round *= 2) {
            List<Work> shifts = check().callers().stream()
                    .map(rank -> shift(world.rank(rank).group()))
                    .toList();
            for (int rank : check().callers()) {
                await(rank, shifts.get(rank));
            }
        }
        works.forEach((rank, work) -> {
            if (work.isDone()) {
                fault("rank " + rank + ": it has left, and rank " + last + " has not come");
            }
        });
        call(world, calls, last);
    }

    private void call(LocalWorld world, Calls calls, int rank) {
        try {
            works.put(
                    rank,
                    calls.start(check(), world.rank(rank).group(), List.of(), options())
                            .getFirst());
        } catch (ParexException e) {
            failed(rank, e);
        }
    }

    private static Work shift(ProcessGroup group) {
        TensorView given = TensorView.of(MemorySegment.ofArray(new byte[1]), DataType.UINT8);
        TensorView taken = TensorView.of(MemorySegment.ofArray(new byte[1]), DataType.UINT8);
        int size = group.size();
        return group.sendRecv(
                PointToPoint.send(given, (group.rank() + 1) % size, TAG),
                PointToPoint.recv(taken, (group.rank() + size - 1) % size, TAG),
                CallOptions.DEFAULT.withTimeout(LIMIT));
    }

    @Override
    void end() {
        works.forEach(this::await);
    }

    @Override
    void ended(int rank, Completion completion) {
        // that it has ended is all there is to it
    }
}
