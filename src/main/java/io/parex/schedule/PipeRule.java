package io.parex.schedule;

import java.util.Arrays;
import java.util.List;

/** For which scratch buffers a window is memory enough; see {@link Schedule.Scratch#pipe}. */
final class PipeRule {
    private static final int NONE = -1;

    private final int[] writers;
    private final int[] readers;
    private final boolean[] broken;

    private PipeRule(int buffers) {
        writers = new int[buffers];
        readers = new int[buffers];
        broken = new boolean[buffers];
        Arrays.fill(writers, NONE);
        Arrays.fill(readers, NONE);
    }

    /** Per buffer whether one step writes all of it, and one later send, and nothing else, reads all of it. */
    static boolean[] pipes(List<Step> steps, List<Long> lengths) {
        PipeRule rule = new PipeRule(lengths.size());
        for (int index = 0; index < steps.size(); index++) {
            rule.take(index, steps.get(index), lengths);
        }
        boolean[] pipes = new boolean[lengths.size()];
        for (int buffer = 0; buffer < pipes.length; buffer++) {
            boolean used = rule.writers[buffer] != NONE && rule.readers[buffer] != NONE;
            pipes[buffer] = used && !rule.broken[buffer] && rule.writers[buffer] < rule.readers[buffer];
        }
        return pipes;
    }

    private void take(int index, Step step, List<Long> lengths) {
        for (Slice slice : StepSlices.writes(step)) {
            note(index, slice, writers, lengths);
        }
        for (Slice slice : StepSlices.reads(step)) {
            note(index, slice, readers, lengths);
            if (slice.buffer().isScratch() && !(step instanceof Step.Send)) {
                broken[slice.buffer().index()] = true;
            }
        }
    }

    private void note(int index, Slice slice, int[] users, List<Long> lengths) {
        if (slice.buffer().isScratch()) {
            int buffer = slice.buffer().index();
            broken[buffer] |= users[buffer] != NONE || slice.length() != lengths.get(buffer);
            users[buffer] = index;
        }
    }
}
