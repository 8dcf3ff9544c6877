package io.parex.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The same calls with the same random inputs by torch.distributed with gloo, in processes of its own, and by Parex,
 * over TCP and by reference. All must be equal to the bit, but for sums and products of floating numbers of more than
 * two ranks: these may differ by what their order of summation explains.
 */
@Tag("slow")
@Timeout(600)
class GlooIT {
    private static final String PYTHON =
            Files.isExecutable(Path.of("/usr/bin/python3")) ? "/usr/bin/python3" : "python3";
    private static final Path PEER = Path.of("src", "test", "python", "gloo_peer.py");
    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final long SEED = Long.getLong("parex.seed", 1);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void shouldAgreeWithGloo(int size) throws IOException {
        requireTorch();
        List<GlooCall> calls = GlooCall.all(size);
        List<List<TensorView>> inputs = calls.stream()
                .map(call -> IntStream.range(0, size)
                        .mapToObj(rank -> random(
                                call.type(),
                                call.inputCount(rank, size),
                                new SplittableRandom(seed(calls, call, rank))))
                        .toList())
                .toList();
        List<List<TensorView>> expected = byGloo(calls, inputs, size);
        for (Harness.Factory factory : List.of(Harness.Factory.LOCAL, Harness.Factory.TCP)) {
            try (Harness world = factory.start(size)) {
                for (int i = 0; i < calls.size(); i++) {
                    compare(calls.get(i), inputs.get(i), expected.get(i), byParex(world, calls.get(i), inputs.get(i)));
                }
            }
        }
    }

    private static long seed(List<GlooCall> calls, GlooCall call, int rank) {
        return SEED + 31L * calls.indexOf(call) + 1_000_003L * rank;
    }

    /** CI installs it; elsewhere it may be missing. */
    private static void requireTorch() throws IOException {
        String check = "import torch.distributed as d; assert d.is_gloo_available()";
        Process process = new ProcessBuilder(PYTHON, "-c", check)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Assumptions.assumeTrue(
                process.onExit().join().exitValue() == 0,
                PYTHON + " has no torch.distributed with gloo: apt-get install python3-torch");
    }

    private List<List<TensorView>> byGloo(List<GlooCall> calls, List<List<TensorView>> inputs, int size)
            throws IOException {
        Files.write(
                folder.resolve("calls"),
                calls.stream().map(call -> call.line(size)).toList());
        for (int rank = 0; rank < size; rank++) {
            try (OutputStream file = new BufferedOutputStream(Files.newOutputStream(folder.resolve("in." + rank)))) {
                for (List<TensorView> each : inputs) {
                    file.write(Tensors.bytes(each.get(rank)));
                }
            }
        }
        List<List<String>> commands = IntStream.range(0, size)
                .mapToObj(rank -> List.of(PYTHON, PEER.toString(), "" + rank, "" + size, folder.toString()))
                .toList();
        Children.run(commands, folder, LIMIT);
        List<List<TensorView>> outputs = Stream.generate(() -> (List<TensorView>) new ArrayList<TensorView>())
                .limit(calls.size())
                .toList();
        for (int rank = 0; rank < size; rank++) {
            try (InputStream file = new BufferedInputStream(Files.newInputStream(folder.resolve("out." + rank)))) {
                for (int i = 0; i < calls.size(); i++) {
                    TensorView output =
                            Tensors.zeros(calls.get(i).type(), calls.get(i).outputCount(rank, size));
                    byte[] bytes = file.readNBytes((int) output.byteSize());
                    output.segment().copyFrom(MemorySegment.ofArray(bytes));
                    outputs.get(i).add(output);
                }
                assertEquals(-1, file.read(), "rank " + rank + " of gloo got more than was expected");
            }
        }
        return outputs;
    }

    private static List<TensorView> byParex(Harness world, GlooCall call, List<TensorView> inputs) {
        List<TensorView> outputs = IntStream.range(0, world.size())
                .mapToObj(rank -> Tensors.zeros(call.type(), call.outputCount(rank, world.size())))
                .toList();
        List<Work> works = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            works.addAll(call.start(world.group(rank), inputs.get(rank), outputs.get(rank)));
        }
        world.succeed(works);
        return outputs;
    }

    private static void compare(
            GlooCall call, List<TensorView> inputs, List<TensorView> expected, List<TensorView> actual) {
        for (int rank = 0; rank < inputs.size(); rank++) {
            String what = call + " on rank " + rank + " of " + inputs.size() + " (-Dparex.seed=" + SEED + ")";
            if (!call.dependsOnOrder(inputs.size())) {
                Tensors.assertSame(expected.get(rank), actual.get(rank), what);
                continue;
            }
            for (int i = 0; i < numbers(expected.get(rank)); i++) {
                double gloo = number(expected.get(rank), i);
                double parex = number(actual.get(rank), i);
                assertTrue(
                        Math.abs(gloo - parex) <= bound(call, inputs, i),
                        what + ": number " + i + " is " + parex + ", by gloo " + gloo);
            }
        }
    }

    /**
     * How far two orders of summation can be apart: each is off the true sum by at most (n - 1)u / (1 - (n - 1)u) times
     * the sum of the absolute values, and likewise a product.
     */
    private static double bound(GlooCall call, List<TensorView> inputs, int index) {
        double u = switch (call.type()) {
            case FLOAT16 -> 0x1p-11;
            case FLOAT32, COMPLEX64 -> 0x1p-24;
            default -> 0x1p-53;
        };
        double roundings = (inputs.size() - 1) * u;
        boolean isSum = call.op() == ReduceOp.SUM;
        double size = isSum ? 0 : 1;
        for (TensorView input : inputs) {
            double value = Math.abs(number(input, index));
            size = isSum ? size + value : size * value;
        }
        return 2 * roundings / (1 - roundings) * size;
    }

    /** Floating numbers in a tensor: two for each complex one. */
    private static long numbers(TensorView tensor) {
        return tensor.byteSize() / width(tensor.type());
    }

    private static int width(DataType type) {
        return switch (type) {
            case FLOAT16 -> 2;
            case FLOAT32, COMPLEX64 -> 4;
            default -> 8;
        };
    }

    private static double number(TensorView tensor, int index) {
        MemorySegment memory = tensor.segment();
        return switch (width(tensor.type())) {
            case 2 -> Float.float16ToFloat(memory.getAtIndex(ValueLayout.JAVA_SHORT, index));
            case 4 -> memory.getAtIndex(ValueLayout.JAVA_FLOAT, index);
            default -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
        };
    }

    /** Integers of all values; floating numbers of both signs whose absolute value lies between 1/2 and 2. */
    private static TensorView random(DataType type, int count, SplittableRandom random) {
        TensorView tensor = Tensors.zeros(type, count);
        switch (type) {
            case UINT8, INT8, INT32, INT64 -> {
                byte[] bytes = new byte[(int) tensor.byteSize()];
                random.nextBytes(bytes);
                tensor.segment().copyFrom(MemorySegment.ofArray(bytes));
            }
            default -> {
                for (int i = 0; i < numbers(tensor); i++) {
                    double value = random.nextDouble(0.5, 2) * (random.nextBoolean() ? 1 : -1);
                    switch (width(type)) {
                        case 2 ->
                            tensor.segment().setAtIndex(ValueLayout.JAVA_SHORT, i, Float.floatToFloat16((float) value));
                        case 4 -> tensor.segment().setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) value);
                        default -> tensor.segment().setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
                    }
                }
            }
        }
        return tensor;
    }

    /** A process that hangs ends the run with its name, and none is left behind. */
    @Test
    void shouldNotWaitForAProcessThatHangs() {
        long before = ProcessHandle.current().children().count();
        AssertionError failure = assertThrows(
                AssertionError.class,
                () -> Children.run(List.of(List.of("true"), List.of("sleep", "600")), folder, Duration.ofMillis(200)));
        assertTrue(failure.getMessage().contains("sleep 600 has not ended within PT0.2S"), failure.getMessage());
        assertEquals(before, ProcessHandle.current().children().count());
        failure = assertThrows(
                AssertionError.class,
                () -> Children.run(
                        List.of(List.of("sh", "-c", "echo broken; exit 3"), List.of("sleep", "600")), folder, LIMIT));
        assertTrue(failure.getMessage().contains("ended with 3; it said: broken"), failure.getMessage());
        assertEquals(before, ProcessHandle.current().children().count());
    }
}
