package io.parex.bench.verify;

import io.parex.bench.Collective;
import io.parex.bench.Exchange;
import io.parex.schedule.Primitive;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.CallOptions;
import io.parex.world.PointToPoint;
import io.parex.world.ProcessGroup;
import io.parex.world.Work;
import java.util.ArrayList;
import java.util.List;

/** By the methods that users call. */
final class StandardCalls implements Calls {
    private static final int TAG = 7;

    @Override
    public List<Work> start(Check check, ProcessGroup group, List<Tensors> tensors, CallOptions options) {
        return new Caller(check, group, options).start(tensors);
    }

    /** One rank. */
    private record Caller(Check check, ProcessGroup group, CallOptions options) {

        List<Work> start(List<Tensors> tensors) {
            if (check.primitive() == Primitive.BARRIER) {
                return List.of(group.barrier(options));
            }
            if (check.isMessage()) {
                return message(tensors.getFirst());
            }
            if (check.form() == Form.COALESCED) {
                return List.of(list(tensors));
            }
            return List.of(one(tensors.getFirst(), check.exchanges().getFirst()));
        }

        private Work one(Tensors own, Exchange exchange) {
            if (check.form() == Form.OPEN) {
                return open(own.input(), own.output(), exchange);
            }
            if (check.primitive() == Primitive.SEND_RECV) {
                return shift(own.input(), own.output());
            }
            return new Collective(exchange, check.cell().op(), factor())
                    .start(group, own.input(), own.output(), options);
        }

        private boolean hasFactor() {
            return check.cell().op() == ReduceOp.PREMUL_SUM;
        }

        private double factor() {
            return RealFold.factor(check.rounded());
        }

        private List<Work> message(Tensors tensors) {
            List<Work> works = new ArrayList<>();
            if (check.isReceivedFirst()) {
                receive(tensors.output(), works);
                send(tensors.input(), works);
            } else {
                send(tensors.input(), works);
                receive(tensors.output(), works);
            }
            return works;
        }

        private void send(TensorView tensor, List<Work> works) {
            if (tensor != null && check.primitive() == Primitive.SEND) {
                group.send(tensor, check.receiver(), TAG, options);
            } else if (tensor != null) {
                works.add(group.isend(tensor, check.receiver(), TAG, options));
            }
        }

        private void receive(TensorView tensor, List<Work> works) {
            if (tensor != null && check.primitive() == Primitive.RECV) {
                group.recv(tensor, check.root(), TAG, options);
            } else if (tensor != null) {
                works.add(group.irecv(tensor, check.root(), TAG, options));
            }
        }

        private Work open(TensorView in, TensorView out, Exchange exchange) {
            int rank = group.rank();
            return switch (check.primitive()) {
                case SCATTER_V -> group.scatterVOpen(in, out, exchange.known(rank), check.root(), options);
                case GATHER_V -> group.gatherVOpen(in, out, check.root(), options);
                case ALL_GATHER_V -> group.allGatherVOpen(in, out, options);
                case ALL_TO_ALL_V -> group.allToAllVOpen(in, out, exchange.given(rank), options);
                default -> throw new IllegalArgumentException(check.id());
            };
        }

        private Work shift(TensorView in, TensorView out) {
            int size = group.size();
            return group.sendRecv(
                    PointToPoint.send(in, (group.rank() + 1) % size, TAG),
                    PointToPoint.recv(out, (group.rank() + size - 1) % size, TAG),
                    options);
        }

        private Work list(List<Tensors> tensors) {
            ReduceOp op = check.cell().op();
            boolean gives = tensors.getFirst().input() != null;
            boolean takes = tensors.getFirst().output() != null;
            List<TensorView> in = gives ? tensors.stream().map(Tensors::input).toList() : List.of();
            List<TensorView> out = takes ? tensors.stream().map(Tensors::output).toList() : List.of();
            return switch (check.primitive()) {
                case BROADCAST -> group.broadcast(gives ? in : out, check.root(), options);
                case ALL_GATHER -> group.allGather(in, out, options);
                case ALL_REDUCE ->
                    hasFactor()
                            ? group.allReduce(in, out, op, factor(), options)
                            : group.allReduce(in, out, op, options);
                case REDUCE_SCATTER ->
                    hasFactor()
                            ? group.reduceScatter(in, out, op, factor(), options)
                            : group.reduceScatter(in, out, op, options);
                default -> throw new IllegalArgumentException(check.id());
            };
        }
    }
}
