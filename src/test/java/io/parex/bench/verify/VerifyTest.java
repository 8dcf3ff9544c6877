package io.parex.bench.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import io.parex.tensor.TensorView;
import io.parex.world.Work;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks of the real engine hold, and each kind of fault that is planted in a call is found. */
class VerifyTest {
    private static final Calls REAL = new StandardCalls();

    private final Map<String, String> failures = new TreeMap<>();
    private long passed;

    private void run(List<Check> checks, Calls calls) {
        VerifyListener listener = new VerifyListener() {
            @Override
            public void progress(long done, Check next) {
                assertTrue(done < checks.size());
            }

            @Override
            public void failed(Check check, List<String> faults) {
                failures.put(check.id(), String.join("; ", faults));
            }
        };
        try (Verify verify = new Verify(listener, calls)) {
            verify.run(checks);
            passed = verify.passed();
            assertEquals(failures.size(), verify.failed());
        }
    }

    private static List<Check> checks(int ranks, Set<Primitive> primitives, Set<DataType> types) {
        return CheckList.of(ranks, new CheckFilter(primitives, Set.of(), types, Set.of(), null));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4})
    void shouldHoldForTheRealEngine(int ranks) {
        List<Check> checks = Stream.concat(
                        checks(ranks, Set.of(), Set.of(DataType.BFLOAT16, DataType.UINT8)).stream(),
                        checks(ranks, Set.of(Primitive.BARRIER), Set.of()).stream())
                .toList();
        run(checks, REAL);
        assertEquals(Map.of(), failures);
        assertEquals(checks.size(), passed);
    }

    /** What {@code parex verify} does, whole. */
    @Tag("slow")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 7})
    void shouldHoldForEveryCheck(int ranks) {
        List<Check> checks = CheckList.of(ranks, CheckFilter.ALL);
        run(checks, REAL);
        assertEquals(Map.of(), failures);
        assertEquals(checks.size(), passed);
    }

    private static Check check(Primitive primitive, DataType type, ReduceOp op, boolean inPlace) {
        return new Check(3, new Cell(primitive, Cell.AUTO, type, op), Form.PLAIN, List.of(40L), 1, inPlace, false);
    }

    /** Runs the check, among others that hold, with the call of rank 2 made by {@code calls}. */
    private String plant(Check check, Calls calls) {
        Check good = check(Primitive.ALL_GATHER, DataType.INT16, null, false);
        run(
                List.of(good, check, good),
                (each, group, tensors, options) ->
                        (each.equals(check) && group.rank() == 2 ? calls : REAL).start(each, group, tensors, options));
        assertEquals(Set.of(check.id()), failures.keySet());
        assertEquals(2, passed);
        return failures.get(check.id());
    }

    /** Also the byte behind a tensor, which only a stray write reaches. */
    @SuppressWarnings("restricted")
    private static void flip(TensorView tensor, long at) {
        MemorySegment memory = tensor.segment().reinterpret(at + 1);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) ~memory.get(ValueLayout.JAVA_BYTE, at));
    }

    /** The call, after whose end one byte is another. */
    private static Calls thenFlip(boolean input, long at) {
        return (check, group, tensors, options) -> {
            List<Work> works = REAL.start(check, group, tensors, options);
            Tensors own = tensors.getFirst();
            TensorView tensor = input ? own.input() : own.output();
            works.forEach(work -> work.completion().subscribe().with(completion -> flip(tensor, at)));
            return works;
        };
    }

    @Test
    void shouldFindAWrongByteOfWhatWasMoved() {
        String fault = plant(check(Primitive.BROADCAST, DataType.INT32, null, false), thenFlip(false, 17));
        assertEquals("rank 2: its output is wrong: element 4 is not what rank 1 gave", fault);
    }

    @Test
    void shouldFindAWrongByteOfAResult() {
        String fault = plant(check(Primitive.REDUCE_SCATTER, DataType.INT8, ReduceOp.SUM, true), thenFlip(false, 39));
        assertTrue(fault.startsWith("rank 2: its output is wrong: element 39 is "), fault);
    }

    @Test
    void shouldFindBitsThatAreNotThoseOfTheOthers() {
        String fault = plant(check(Primitive.ALL_REDUCE, DataType.FLOAT64, ReduceOp.AVG, false), thenFlip(false, 8));
        assertEquals("rank 2: its output is wrong: byte 8 is not that of rank 0", fault);
    }

    @Test
    void shouldFindAnInputThatWasWrittenTo() {
        String fault = plant(check(Primitive.ALL_TO_ALL, DataType.UINT64, null, false), thenFlip(true, 0));
        assertEquals("rank 2: its input was written to", fault);
    }

    @Test
    void shouldFindAByteBesideATensor() {
        String fault = plant(check(Primitive.GATHER, DataType.UINT8, null, false), thenFlip(true, 40));
        assertEquals("bytes beside a tensor were written to", fault);
    }

    @Test
    void shouldFindAnotherReduction() {
        Check check = check(Primitive.REDUCE, DataType.FLOAT32, ReduceOp.SUM, false);
        run(List.of(check), (each, group, tensors, options) -> {
            Tensors own = tensors.getFirst();
            return List.of(group.reduce(own.input(), own.output(), ReduceOp.MAX, 1, options));
        });
        assertTrue(failures.get(check.id()).startsWith("rank 1: its output is wrong: element "), failures.toString());
    }

    @Test
    void shouldFindARankThatDoesNotWaitAtABarrier() {
        Check check = new Check(
                3, new Cell(Primitive.BARRIER, "dissemination", null, null), Form.PLAIN, List.of(), 0, false, false);
        run(List.of(check), (each, group, tensors, options) -> {
            TensorView nothing = TensorView.of(MemorySegment.ofArray(new byte[0]), DataType.UINT8);
            return List.of(group.isend(nothing, group.rank(), 0, options));
        });
        assertEquals(
                "rank 1: it has left, and rank 0 has not come; rank 2: it has left, and rank 0 has not come",
                failures.get(check.id()));
    }

    @Test
    void shouldFindACallThatIsNotRefused() {
        Check check = new Check(
                2,
                new Cell(Primitive.ALL_REDUCE, Cell.AUTO, DataType.FLOAT8_E4M3, ReduceOp.SUM),
                Form.REFUSED,
                List.of(3L),
                0,
                false,
                false);
        run(List.of(check), REAL);
        assertEquals(Map.of(), failures);
        run(List.of(check), (each, group, tensors, options) -> {
            Tensors own = tensors.getFirst();
            return List.of(group.allGather(own.input().slice(0, 1), own.output().slice(0, 2), options));
        });
        assertEquals(
                "rank 0: the call was not refused; rank 1: the call was not refused;"
                        + " rank 0: its output is wrong: was written to; rank 1: its output is wrong: was written to",
                failures.get(check.id()));
    }

    /** A call that fails is a failure of its check; those after it run on a new world. */
    @Test
    void shouldGoOnAfterACallThatFails() {
        Check bad = check(Primitive.ALL_GATHER, DataType.INT64, null, false);
        List<Check> good = checks(3, Set.of(Primitive.ALL_GATHER), Set.of(DataType.UINT16)).stream()
                .limit(80)
                .toList();
        List<Check> all =
                Stream.of(good, List.of(bad), good).flatMap(List::stream).toList();
        run(all, (each, group, tensors, options) -> {
            if (each.equals(bad)) {
                throw new ParexException(ErrorKind.OVERLOADED, "planted");
            }
            return REAL.start(each, group, tensors, options);
        });
        assertEquals(Set.of(bad.id()), failures.keySet());
        assertTrue(failures.get(bad.id()).startsWith("rank 0: overloaded: planted; rank 1: "), failures.toString());
        assertEquals(all.size() - 1, passed);
    }
}
