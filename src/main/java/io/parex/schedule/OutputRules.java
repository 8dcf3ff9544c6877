package io.parex.schedule;

import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whether the outputs after a run are what the primitive promises. */
final class OutputRules {

    /** Elements of a rank's output that are those of a rank's input. */
    private record Piece(int source, long input, long output, long length) {}

    private final WorldSchedules world;
    private final Expressions expressions;
    private final Checks checks;

    OutputRules(WorldSchedules world, Expressions expressions, Checks checks) {
        this.world = world;
        this.expressions = expressions;
        this.checks = checks;
    }

    /** Tests every element of every rank; the first wrong one is thrown. */
    void check(SymbolicMemory memory) {
        int[] first = memory.output(0);
        for (int rank = 0; rank < world.size(); rank++) {
            int[] output = memory.output(rank);
            if (world.primitive().reducing()) {
                checkSums(rank, output, first);
            } else {
                int receiver = rank;
                pieces(rank).forEach(piece -> checkPiece(receiver, output, piece));
            }
        }
    }

    private Stream<Piece> pieces(int rank) {
        Problem problem = world.problem(rank);
        Problem root = world.problem(world.root());
        IntStream everyone = IntStream.range(0, world.size());
        return switch (world.primitive().base()) {
            case BARRIER -> Stream.empty();
            case BROADCAST, SCATTER -> {
                boolean whole = world.primitive() == Primitive.BROADCAST;
                long input = whole ? 0 : root.blocks().offset(rank);
                yield Stream.of(new Piece(world.root(), input, 0, problem.outputLength()));
            }
            case GATHER, ALL_GATHER -> {
                boolean holds = world.primitive().base() == Primitive.ALL_GATHER || problem.isRoot();
                Blocks blocks = problem.blocks();
                yield everyone.limit(holds ? world.size() : 0)
                        .mapToObj(source -> new Piece(source, 0, blocks.offset(source), blocks.length(source)));
            }
            case ALL_TO_ALL ->
                everyone.mapToObj(source -> new Piece(
                        source,
                        world.problem(source).blocks().offset(rank),
                        problem.incoming().offset(source),
                        problem.incoming().length(source)));
            default ->
                throw new ScheduleFault(
                        "no rule for the output of " + world.primitive().label());
        };
    }

    private void checkPiece(int rank, int[] output, Piece piece) {
        for (int index = 0; index < piece.length(); index++) {
            int element = (int) piece.output() + index;
            int wanted = expressions.leaf(piece.source(), (int) piece.input() + index);
            int value = output[element];
            test(value == wanted, rank, element, value, () -> "is not " + expressions.render(wanted));
        }
    }

    private void checkSums(int rank, int[] output, int[] first) {
        boolean scattered = world.primitive().base() == Primitive.REDUCE_SCATTER;
        int shift = scattered ? (int) world.problem(rank).blocks().offset(rank) : 0;
        for (int index = 0; index < output.length; index++) {
            int element = index;
            int value = output[element];
            test(value != Expressions.UNDEFINED, rank, element, value, () -> "was never written");
            test(expressions.element(value) == shift + element, rank, element, value, () -> "is another element");
            if (world.primitive() == Primitive.ALL_REDUCE && rank > 0) {
                test(value == first[element], rank, element, value, () -> "is not that of rank 0");
            } else {
                checkSum(rank, element, value);
            }
        }
    }

    private void checkSum(int rank, int element, int value) {
        test(expressions.isFinished(value), rank, element, value, () -> "is not finished");
        int partial = expressions.partialOf(value);
        test(!expressions.finishedWithin(partial), rank, element, value, () -> "combines a finished value");
        int[] contributions = new int[world.size()];
        expressions.count(partial, contributions);
        for (int contribution : contributions) {
            test(contribution == 1, rank, element, value, () -> "does not have every rank's input once");
        }
    }

    /** Whether every element of every output sums the inputs of ranks 0, 1, 2, ... one after the other. */
    boolean areLeftFolds(int[][] outputs) {
        for (int[] output : outputs) {
            for (int value : output) {
                if (!expressions.isLeftFold(expressions.partialOf(value), world.size())) {
                    return false;
                }
            }
        }
        return true;
    }

    private void test(boolean good, int rank, int element, int value, Supplier<String> fault) {
        checks.test(
                good,
                () -> "rank " + rank + " output element " + element + " = " + expressions.render(value) + " "
                        + fault.get());
    }
}
