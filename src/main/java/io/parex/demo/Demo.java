package io.parex.demo;

import io.parex.ParexException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.function.IntFunction;

/**
 * The main job of Parex end to end: trains a perceptron with one worker per rank, once more in one plain loop, and
 * compares.
 */
public final class Demo {
    private final Recipe recipe;
    private final int size;
    private final IntFunction<? extends Exchange> connect;
    private final Duration deadline;
    private final SequencedMap<String, String> places;

    /**
     * A demo of some seconds: 40 epochs, 600 all_reduces of 76,840 bytes on every rank.
     *
     * @param size number of workers and ranks, a divisor of 96
     * @param connect rank to that worker's connection, called once per rank on the worker's own thread; the demo closes
     *     what it returns
     * @param deadline for connecting and the data-parallel training
     * @param places where to look further, printed at the end, such as {@code metrics} to the address of the metrics
     * @throws ParexException of kind argument if the workers could not share a step equally; nothing is started
     */
    public Demo(
            int size, IntFunction<? extends Exchange> connect, Duration deadline, SequencedMap<String, String> places) {
        this(Recipe.STANDARD, size, connect, deadline, places);
    }

    Demo(
            Recipe recipe,
            int size,
            IntFunction<? extends Exchange> connect,
            Duration deadline,
            SequencedMap<String, String> places) {
        recipe.requireShareable(size);
        this.recipe = recipe;
        this.size = size;
        this.connect = connect;
        this.deadline = deadline;
        this.places = new LinkedHashMap<>(places);
    }

    /**
     * Runs it; blocks the calling thread, and ends at an interrupt of it.
     *
     * @param out receives the lines of progress, the tables, and the reason of a failure
     * @return 0 if accuracy, differences and the equality of all workers' parameters held; 1 otherwise
     */
    public int run(PrintStream out) {
        DemoReport report = new DemoReport(out, recipe);
        try {
            Digits.Split digits = recipe.digits();
            report.start(digits, size);
            Training.Outcome outcome = new Training(recipe, size, deadline).run(digits, connect, report::epoch);
            PlainTraining.Result reference = PlainTraining.run(recipe, digits);
            report.last(outcome, Verdict.of(outcome, reference), places);
        } catch (ParexException failure) {
            report.failed(failure.getMessage());
        }
        return report.held() ? 0 : 1;
    }
}
