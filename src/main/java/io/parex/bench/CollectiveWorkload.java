package io.parex.bench;

import io.parex.schedule.Primitive;
import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.util.HashMap;
import java.util.Map;

/** A collective with one tensor on all ranks. */
final class CollectiveWorkload implements Workload {
    private final Setup setup;
    private final CallShape shape;
    private final Collective collective;
    private final Exchange exchange;
    private final Map<Integer, TensorView> inputs = new HashMap<>();
    private final Map<Integer, TensorView> outputs = new HashMap<>();

    /** Of {@code count} elements on the larger side. */
    CollectiveWorkload(Setup setup, Primitive primitive, long count, CallShape shape) {
        this.setup = setup;
        this.shape = shape;
        exchange = Layouts.exchange(primitive, setup.ranks(), count, shape);
        collective = new Collective(exchange, primitive.reducing() ? shape.op() : null, CallShape.FACTOR);
        for (int rank : setup.here()) {
            place(rank);
        }
    }

    /** A rank that has one buffer only, or both in one place, has it where others have their outputs. */
    private void place(int rank) {
        long given = exchange.hasInput(rank) ? exchange.inputCount(rank) : 0;
        long taken = exchange.hasOutput(rank) ? exchange.outputCount(rank) : 0;
        TensorView output = setup.memory().output(rank, Math.max(given, taken));
        TensorView input = output;
        long from = 0;
        if (exchange.isShared(rank)) {
            from = exchange.outputInInput(rank);
        } else if (exchange.hasInput(rank) && exchange.hasOutput(rank)) {
            input = setup.memory().input(rank, given);
        }
        if (exchange.hasInput(rank)) {
            inputs.put(rank, input.slice(Math.max(0, -from), given));
        }
        if (exchange.hasOutput(rank)) {
            outputs.put(rank, output.slice(Math.max(0, from), taken));
        }
    }

    /** In place a result is the next input in some; of a reduction they run off to infinity, which costs the same. */
    @Override
    public Traits traits() {
        Primitive primitive = exchange.asked().base();
        boolean overwrites = primitive.reducing() || primitive == Primitive.ALL_TO_ALL;
        boolean inPlace = primitive == Primitive.BROADCAST || shape.inPlace();
        return Traits.ofAll(setup.ranks(), !(inPlace && overwrites), inPlace);
    }

    @Override
    public void prepare() {
        outputs.values().forEach(RankMemory::spoil);
        inputs.forEach((rank, tensor) -> given(rank).fill(tensor));
    }

    @Override
    public Work start(int rank, long index) {
        return collective.start(setup.group(rank), inputs.get(rank), outputs.get(rank), setup.options());
    }

    @Override
    public long wrong() {
        return outputs.entrySet().stream()
                .mapToLong(each -> wrong(each.getKey(), each.getValue()))
                .sum();
    }

    private long wrong(int rank, TensorView output) {
        if (exchange.asked().reducing()) {
            return setup.patterns().reduced(shape.op()).wrong(output, exchange.reducedFrom(rank));
        }
        long wrong = 0;
        long at = 0;
        for (Exchange.Piece piece : exchange.pieces(rank).toList()) {
            wrong += given(piece.rank()).wrong(output.slice(at, piece.length()), piece.from());
            at += piece.length();
        }
        return wrong;
    }

    private Elements given(int rank) {
        return setup.patterns().input(rank, exchange.asked().reducing() ? shape.op() : null);
    }
}
