package io.parex.schedule;

/** Whether the outputs after a run are what the primitive promises. */
final class OutputRules {
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
            for (int element = 0; element < world.count(); element++) {
                switch (world.primitive()) {
                    case BROADCAST -> checkBroadcast(rank, element, output[element]);
                    case ALL_REDUCE -> checkAllReduce(rank, element, output[element], first[element]);
                    default ->
                        throw new ScheduleFault(
                                "no rule for the output of " + world.primitive().label());
                }
            }
        }
    }

    private void checkBroadcast(int rank, int element, int value) {
        test(value == expressions.leaf(world.root(), element), rank, element, value, "is not the root's");
    }

    private void checkAllReduce(int rank, int element, int value, int first) {
        test(value != Expressions.UNDEFINED, rank, element, value, "was never written");
        test(value == first, rank, element, value, "is not that of rank 0");
        test(expressions.element(value) == element, rank, element, value, "is another element");
        if (rank > 0) {
            return;
        }
        boolean finished = expressions.isFinished(value);
        test(finished || world.size() == 1, rank, element, value, "is not finished");
        int partial = finished ? expressions.partialOf(value) : value;
        test(!expressions.finishedWithin(partial), rank, element, value, "combines a finished value");
        int[] contributions = new int[world.size()];
        expressions.count(partial, contributions);
        for (int contribution : contributions) {
            test(contribution == 1, rank, element, value, "does not have every rank's input once");
        }
    }

    private void test(boolean good, int rank, int element, int value, String fault) {
        checks.test(
                good,
                () -> "rank " + rank + " output element " + element + " = " + expressions.render(value) + " " + fault);
    }
}
