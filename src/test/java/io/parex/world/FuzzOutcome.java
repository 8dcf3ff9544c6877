package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What became of one operation of one rank, in virtual time. */
final class FuzzOutcome {
    private static final Pattern REFUSED = Pattern.compile(
            "(call #(\\d+) completed on rank |a call before this one was refused).* may be called again");

    private final Harness world;

    private static final byte SCRIBBLE = 0x55;

    /** What it was given to read and to fill; null where there is none, the same for a call in place. */
    private TensorView input;

    private TensorView output;

    /** What these held at the end. */
    TensorView inputAfter;

    TensorView outputAfter;

    /** What the output held before. */
    TensorView outputBefore;

    /** Calls named by refusals before it was started. */
    final List<Integer> refusals = new ArrayList<>();

    long submittedNanos = -1;
    long endedNanos = -1;
    Completion completion;
    ErrorKind failure;
    String text = "";

    FuzzOutcome(Harness world) {
        this.world = world;
    }

    /** Sets the memory of the operation. */
    void memory(TensorView toRead, TensorView toFill) {
        input = toRead;
        output = toFill;
        outputBefore = toFill == null ? null : Tensors.copy(toFill);
    }

    TensorView input() {
        return input;
    }

    TensorView output() {
        return output;
    }

    /** Starts the operation; {@code then} runs when it has ended. Null if it was refused at once. */
    Work start(Supplier<Work> call, Runnable then) {
        submittedNanos = world.nanoTime();
        try {
            Work work = call.get();
            work.completion().subscribe().with(done -> end(done, null, then), e -> end(null, (ParexException) e, then));
            return work;
        } catch (ParexException e) {
            end(null, e, then);
            return null;
        }
    }

    private void end(Completion done, ParexException failed, Runnable then) {
        endedNanos = world.nanoTime();
        completion = done;
        if (failed != null) {
            failure = failed.kind();
            text = failed.getMessage();
        }
        if (!REFUSED.matcher(text).lookingAt()) {
            inputAfter = reuse(input);
            outputAfter = output == input ? inputAfter : reuse(output);
        }
        then.run();
    }

    /** The caller may do with its memory what it likes now, and does. */
    private static TensorView reuse(TensorView tensor) {
        if (tensor == null) {
            return null;
        }
        TensorView content = Tensors.copy(tensor);
        tensor.segment().fill(SCRIBBLE);
        return content;
    }

    /** Whether nobody has written to the memory since the end. */
    boolean isLeftAlone() {
        return Stream.of(Optional.ofNullable(input), Optional.ofNullable(output))
                .flatMap(Optional::stream)
                .map(TensorView::segment)
                .allMatch(memory -> memory.byteSize() == 0
                        || memory.get(ValueLayout.JAVA_BYTE, 0) == SCRIBBLE
                                && memory.asSlice(1).mismatch(memory.asSlice(0, memory.byteSize() - 1)) == -1);
    }

    /**
     * Whether the call was refused because of an earlier one; it then counts as not made, and its outcome is open
     * again.
     */
    boolean takeRefusal() {
        Matcher refused = REFUSED.matcher(text);
        if (!refused.lookingAt()) {
            return false;
        }
        if (refused.group(2) != null) {
            refusals.add(Integer.valueOf(refused.group(2)));
        }
        failure = null;
        text = "";
        return true;
    }

    boolean isSuccess() {
        return completion != null;
    }

    boolean isOver() {
        return completion != null || failure != null;
    }

    @Override
    public String toString() {
        return "submitted " + submittedNanos + ", ended " + endedNanos + ": " + (isSuccess() ? completion : text);
    }
}
