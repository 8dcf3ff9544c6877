package io.parex.bench.verify;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.bench.Exchange;
import io.parex.planner.AlgorithmRegistry;
import io.parex.schedule.Primitive;
import io.parex.world.Completion;
import io.parex.world.LocalWorld;
import io.parex.world.Work;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A check of a call with tensors: outputs are what they must be, inputs and all around them as they were. */
final class TensorRun extends Run {
    private final Pad pad;
    private final List<Exchange> exchanges;
    private final int firstGuard;
    private final int endGuard;

    /** Of each exchange those of all ranks. */
    private final List<List<Tensors>> tensors = new ArrayList<>();

    private final Map<Integer, List<Work>> works = new TreeMap<>();

    /** Fills the tensors of {@code check} in memory of {@code pad}, which has room for {@link #bytes}. */
    TensorRun(Check check, Pad pad) {
        super(check);
        this.pad = pad;
        this.exchanges = check.exchanges();
        pad.align();
        firstGuard = pad.guards();
        for (int i = 0; i < exchanges.size(); i++) {
            List<Tensors> ofRanks = new ArrayList<>();
            for (int rank = 0; rank < check.ranks(); rank++) {
                long seed = ((long) i << 32) + rank;
                ofRanks.add(Tensors.of(check, exchanges.get(i), rank, pad, seed));
            }
            tensors.add(ofRanks);
        }
        endGuard = pad.guards();
    }

    /** Memory for the tensors of a check. */
    static long bytes(Check check) {
        return check.exchanges().stream()
                .mapToLong(exchange -> IntStream.range(0, check.ranks())
                        .mapToLong(rank -> Tensors.bytes(check, exchange, rank))
                        .sum())
                .sum();
    }

    /** Pieces of that memory, at most. */
    static int pieces(Check check) {
        return check.exchanges().size() * check.ranks() * Tensors.PIECES;
    }

    @Override
    void start(LocalWorld world, Calls calls) {
        for (int rank : check().callers()) {
            List<Tensors> own = tensors.stream().map(ranks -> ranks.get(rank)).toList();
            try {
                works.put(rank, calls.start(check(), world.rank(rank).group(), own, options()));
                if (check().form() == Form.REFUSED) {
                    fault("rank " + rank + ": the call was not refused");
                }
            } catch (ParexException e) {
                if (check().form() != Form.REFUSED || !isRefusal(e)) {
                    failed(rank, e);
                }
            }
        }
    }

    private boolean isRefusal(ParexException failure) {
        return failure.kind() == ErrorKind.UNSUPPORTED
                && failure.wasRefused()
                && failure.getMessage().contains(check().type().label());
    }

    @Override
    void end() {
        works.forEach((rank, started) -> started.forEach(work -> await(rank, work)));
        for (int i = 0; i < exchanges.size() && !isBroken(); i++) {
            compare(exchanges.get(i), tensors.get(i), exchanges.size() == 1 ? "" : " of tensor " + i);
        }
        if (!pad.isGuarded(firstGuard, endGuard)) {
            fault("bytes beside a tensor were written to");
        }
    }

    @Override
    void ended(int rank, Completion completion) {
        List<Long> lengths = exchanges.getFirst().lengthsOfOutput(rank);
        if (!completion.lengths().equals(lengths)) {
            fault("rank " + rank + ": it was told lengths " + completion.lengths() + ", not " + lengths);
        }
    }

    private void compare(Exchange exchange, List<Tensors> ranks, String which) {
        for (int rank = 0; rank < ranks.size(); rank++) {
            Tensors own = ranks.get(rank);
            String fault = null;
            if (own.given() != null
                    && !own.shared()
                    && own.given().mismatch(own.input().segment()) >= 0) {
                fault("rank " + rank + ": its input" + which + " was written to");
            }
            if (own.output() == null) {
                continue;
            }
            if (check().form() == Form.REFUSED) {
                fault = Pad.isFresh(own.output().segment()) ? null : "was written to";
            } else if (check().primitive().reducing()) {
                fault = reduced(exchange, ranks, rank);
            } else {
                fault = moved(exchange, ranks, rank);
            }
            if (fault != null) {
                fault("rank " + rank + ": its output" + which + " is wrong: " + fault);
            }
        }
    }

    /** All ranks have the same bits, so that of an all_reduce one is looked at, and the others compared with it. */
    private String reduced(Exchange exchange, List<Tensors> ranks, int rank) {
        MemorySegment result = ranks.get(rank).output().segment();
        if (rank > 0 && check().primitive() == Primitive.ALL_REDUCE) {
            long at = ranks.getFirst().output().segment().mismatch(result);
            return at < 0 ? null : "byte " + at + " is not that of rank 0";
        }
        long from = exchange.reducedFrom(rank) * check().type().bytes();
        List<MemorySegment> inputs = ranks.stream()
                .map(each -> each.given().asSlice(from, result.byteSize()))
                .toList();
        return Fold.of(check(), isInRankOrder()).fault(inputs, result);
    }

    private boolean isInRankOrder() {
        Cell cell = check().cell();
        return check().form() == Form.DETERMINISTIC
                || cell.isNamed()
                        && AlgorithmRegistry.standard()
                                .find(cell.primitive(), cell.algorithm())
                                .inRankOrder();
    }

    private String moved(Exchange exchange, List<Tensors> ranks, int rank) {
        MemorySegment output = ranks.get(rank).output().segment();
        int width = check().type().bytes();
        long at = 0;
        for (Exchange.Piece piece : exchange.pieces(rank).toList()) {
            long length = piece.length() * width;
            MemorySegment expected = ranks.get(piece.rank()).given().asSlice(piece.from() * width, length);
            long wrong = expected.mismatch(output.asSlice(at, length));
            if (wrong >= 0) {
                return "element " + (at + wrong) / width + " is not what rank " + piece.rank() + " gave";
            }
            at += length;
        }
        return null;
    }
}
