package io.parex.bench;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** {@link Order}s as bytes. */
final class OrderCodec {
    private static final int BEGIN = 1;
    private static final int JOIN = 2;
    private static final int OPEN = 3;
    private static final int PREPARE = 4;
    private static final int START = 5;
    private static final int ENDS_WITHIN = 6;
    private static final int AWAIT = 7;
    private static final int COUNT_WRONG = 8;
    private static final int RUN = 9;
    private static final int NAME_ALGORITHM = 10;
    private static final int LEAVE = 11;

    /** Stands for the planner's choice. */
    private static final String NO_ALGORITHM = "";

    private OrderCodec() {}

    static void write(OutputStream to, Order order) throws IOException {
        Packets.write(to, out -> fields(out, order));
    }

    private static void fields(DataOutputStream out, Order order) throws IOException {
        switch (order) {
            case Order.Begin begin -> {
                out.writeByte(BEGIN);
                begin(out, begin);
            }
            case Order.Join join -> {
                out.writeByte(JOIN);
                out.writeInt(join.ports().size());
                for (int port : join.ports()) {
                    out.writeShort(port);
                }
            }
            case Order.Open open -> {
                out.writeByte(OPEN);
                series(out, open.series());
                out.writeLong(open.count());
            }
            case Order.Prepare _ -> out.writeByte(PREPARE);
            case Order.Start start -> {
                out.writeByte(START);
                out.writeLong(start.index());
            }
            case Order.EndsWithin within -> {
                out.writeByte(ENDS_WITHIN);
                out.writeLong(within.limitNanos());
            }
            case Order.Await await -> {
                out.writeByte(AWAIT);
                out.writeLong(await.limitNanos());
            }
            case Order.CountWrong _ -> out.writeByte(COUNT_WRONG);
            case Order.Run run -> {
                out.writeByte(RUN);
                out.writeInt(run.calls());
                out.writeLong(run.limitNanos());
            }
            case Order.NameAlgorithm _ -> out.writeByte(NAME_ALGORITHM);
            case Order.Leave _ -> out.writeByte(LEAVE);
        }
    }

    private static void begin(DataOutputStream out, Order.Begin begin) throws IOException {
        out.writeInt(begin.rank());
        out.writeInt(begin.ranks());
        out.writeByte(begin.shape().type().ordinal());
        out.writeByte(begin.shape().op().ordinal());
        out.writeInt(begin.shape().root());
        out.writeBoolean(begin.shape().inPlace());
        out.writeLong(begin.largestBytes());
        out.writeLong(begin.wholeTensorBytes());
        out.writeLong(begin.callTimeoutNanos());
    }

    private static void series(DataOutputStream out, Series series) throws IOException {
        out.writeByte(series.primitive().ordinal());
        out.writeUTF(series.algorithm() == null ? NO_ALGORITHM : series.algorithm());
        out.writeByte(series.caller().ordinal());
    }

    /** Reads an order; null if the stream ends before it. */
    static Order read(InputStream from) throws IOException {
        DataInputStream in = Packets.read(from);
        if (in == null) {
            return null;
        }
        int code = in.readUnsignedByte();
        return switch (code) {
            case BEGIN -> begin(in);
            case JOIN -> {
                List<Integer> ports = new ArrayList<>();
                for (int left = in.readInt(); left > 0; left--) {
                    ports.add(in.readUnsignedShort());
                }
                yield new Order.Join(List.copyOf(ports));
            }
            case OPEN -> new Order.Open(series(in), in.readLong());
            case PREPARE -> new Order.Prepare();
            case START -> new Order.Start(in.readLong());
            case ENDS_WITHIN -> new Order.EndsWithin(in.readLong());
            case AWAIT -> new Order.Await(in.readLong());
            case COUNT_WRONG -> new Order.CountWrong();
            case RUN -> new Order.Run(in.readInt(), in.readLong());
            case NAME_ALGORITHM -> new Order.NameAlgorithm();
            case LEAVE -> new Order.Leave();
            default -> throw Packets.unknown(code);
        };
    }

    private static Order.Begin begin(DataInputStream in) throws IOException {
        int rank = in.readInt();
        int ranks = in.readInt();
        DataType type = DataType.values()[in.readUnsignedByte()];
        ReduceOp op = ReduceOp.values()[in.readUnsignedByte()];
        CallShape shape = new CallShape(type, op, in.readInt(), in.readBoolean());
        return new Order.Begin(rank, ranks, shape, in.readLong(), in.readLong(), in.readLong());
    }

    private static Series series(DataInputStream in) throws IOException {
        Primitive primitive = Primitive.values()[in.readUnsignedByte()];
        String algorithm = in.readUTF();
        CallerKind caller = CallerKind.values()[in.readUnsignedByte()];
        return new Series(primitive, algorithm.equals(NO_ALGORITHM) ? null : algorithm, caller);
    }
}
