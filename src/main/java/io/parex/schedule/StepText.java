package io.parex.schedule;

/** The words for a step in tables and faults. */
final class StepText {

    private StepText() {}

    /** Such as {@code recv_reduce from 1 #0 output[0,4) = input[0,4) + partials}. */
    static String of(Step step) {
        return action(step) + ' ' + slices(step);
    }

    /** What is done and with whom, such as {@code send to 3 #0}. */
    static String action(Step step) {
        return switch (step) {
            case Step.Send send -> "send to " + send.peer() + " #" + send.ordinal();
            case Step.Recv recv -> "recv from " + recv.peer() + " #" + recv.ordinal();
            case Step.RecvReduce recv -> "recv_reduce from " + recv.peer() + " #" + recv.ordinal();
            case Step.Reduce reduce -> "reduce";
            case Step.Copy copy -> "copy";
        };
    }

    /** What it is done to, such as {@code output[0,4) = input[0,4) + partials}. */
    static String slices(Step step) {
        return switch (step) {
            case Step.Send send -> send.source().toString();
            case Step.Recv recv -> recv.target().toString();
            case Step.RecvReduce recv ->
                recv.target() + " = " + recv.own() + " + " + (recv.partial() ? "partials" : "values");
            case Step.Reduce reduce -> reduce.target() + " = " + reduce.left() + " + " + reduce.right();
            case Step.Copy copy -> copy.target() + " = " + copy.source();
        };
    }
}
