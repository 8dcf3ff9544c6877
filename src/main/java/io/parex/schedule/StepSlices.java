package io.parex.schedule;

import java.util.List;

/** The slices of a step by what is done to them. */
final class StepSlices {

    private StepSlices() {}

    /** The slices it reads, in the order of its components. */
    static List<Slice> reads(Step step) {
        return switch (step) {
            case Step.Send send -> List.of(send.source());
            case Step.Recv recv -> List.of();
            case Step.RecvReduce reduce -> List.of(reduce.own());
            case Step.Reduce reduce -> List.of(reduce.left(), reduce.right());
            case Step.Copy copy -> List.of(copy.source());
        };
    }

    /** The slice it writes, none for a send. */
    static List<Slice> writes(Step step) {
        return switch (step) {
            case Step.Send send -> List.of();
            case Step.Recv recv -> List.of(recv.target());
            case Step.RecvReduce reduce -> List.of(reduce.target());
            case Step.Reduce reduce -> List.of(reduce.target());
            case Step.Copy copy -> List.of(copy.target());
        };
    }
}
