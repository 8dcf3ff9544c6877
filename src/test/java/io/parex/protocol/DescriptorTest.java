package io.parex.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.List;
import org.junit.jupiter.api.Test;

class DescriptorTest {
    private static final Descriptor SUM =
            new Descriptor(Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 1000, "", "ring", "layer1");

    @Test
    void shouldFindNoDifferenceBetweenEqualCalls() {
        assertEquals(List.of(), SUM.differences(SUM));
    }

    @Test
    void shouldNameEachFieldThatDiffersWithBothValues() {
        assertEquals(List.of("type float32 / int32"), SUM.differences(sum(DataType.INT32, ReduceOp.SUM, 1000)));
        assertEquals(List.of("op sum / max"), SUM.differences(sum(DataType.FLOAT32, ReduceOp.MAX, 1000)));
        assertEquals(List.of("count 1000 / 0"), SUM.differences(sum(DataType.FLOAT32, ReduceOp.SUM, 0)));
        assertEquals(
                List.of("name layer1 / layer2"),
                SUM.differences(new Descriptor(
                        Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 1000, "", "ring", "layer2")));
        assertEquals(List.of("detail - / lengths 3,0"), SUM.differences(detailed("lengths 3,0")));
        assertEquals(List.of("root 0 / 1"), broadcast(0).differences(broadcast(1)));
    }

    private static Descriptor sum(DataType type, ReduceOp op, long count) {
        return new Descriptor(Primitive.ALL_REDUCE, type, op, -1, count, "", "ring", "layer1");
    }

    private static Descriptor detailed(String detail) {
        return new Descriptor(Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 1000, detail, "ring", "layer1");
    }

    private static Descriptor broadcast(int root) {
        return new Descriptor(Primitive.BROADCAST, DataType.INT32, null, root, 5, "", "chain", "");
    }

    @Test
    void shouldNameTheAlgorithmOnlyWhereNothingElseExplainsIt() {
        Descriptor other = new Descriptor(
                Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 1000, "", "recursive_doubling", "layer1");
        assertEquals(List.of("algorithm ring / recursive_doubling"), SUM.differences(other));
        Descriptor smaller = new Descriptor(
                Primitive.ALL_REDUCE, DataType.FLOAT32, ReduceOp.SUM, -1, 10, "", "recursive_doubling", "layer1");
        assertEquals(List.of("count 1000 / 10"), SUM.differences(smaller));
    }

    @Test
    void shouldNameAllThatDiffersBetweenPrimitives() {
        Descriptor barrier = new Descriptor(Primitive.BARRIER, null, null, -1, 0, "", "dissemination", "");
        assertEquals(
                List.of(
                        "primitive all_reduce / barrier",
                        "type float32 / -",
                        "op sum / -",
                        "count 1000 / 0",
                        "name layer1 / "),
                SUM.differences(barrier));
    }

    @Test
    void shouldReadLikeACall() {
        assertEquals("all_reduce(float32 x 1000, op sum, algorithm ring, name 'layer1')", SUM.toString());
        assertEquals(
                "broadcast(int32 x 5, root 1, algorithm chain)", broadcast(1).toString());
        assertEquals(
                "all_reduce(float32 x 1000, op sum, lengths 3,0, algorithm ring, name 'layer1')",
                detailed("lengths 3,0").toString());
        Descriptor barrier = new Descriptor(Primitive.BARRIER, null, null, -1, 0, "", "dissemination", "");
        assertEquals("barrier(algorithm dissemination)", barrier.toString());
        Descriptor gather =
                new Descriptor(Primitive.GATHER_V, DataType.INT32, null, 2, 0, "lengths by pair", "linear", "");
        assertEquals("gather_v(int32, root 2, lengths by pair, algorithm linear)", gather.toString());
    }
}
