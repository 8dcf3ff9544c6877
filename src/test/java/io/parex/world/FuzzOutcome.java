package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.tensor.TensorView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What became of one operation of one rank, in virtual time. */
final class FuzzOutcome {
    private static final Pattern REFUSED = Pattern.compile("call #(\\d+) completed on rank .* may be called again");

    private final Harness world;

    /** What it was given to read and to fill, and what the latter held before; null where there is none. */
    TensorView input;

    TensorView output;
    TensorView before;

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
        then.run();
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
        refusals.add(Integer.valueOf(refused.group(1)));
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
