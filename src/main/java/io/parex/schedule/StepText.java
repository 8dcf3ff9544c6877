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
            case Step.Recv recv -> recv.target() + converted(recv);
            case Step.RecvReduce recv -> {
                String own = recv.own().toString();
                String received = received(recv.partial());
                yield recv.target() + " = " + (recv.ownFirst() ? own + " + " + received : received + " + " + own);
            }
            case Step.Reduce reduce -> reduce.target() + " = " + reduce.left() + " + " + reduce.right();
            case Step.Copy copy -> copy.target() + " = " + copy.source();
        };
    }

    /** The form of what arrives, where it may not be that of the target. */
    private static String converted(Step.Recv recv) {
        boolean same = recv.partial() == recv.target().buffer().isScratch();
        return same ? "" : " = " + received(recv.partial());
    }

    private static String received(boolean partial) {
        return partial ? "partials" : "values";
    }
}
