package io.parex.world;

import io.parex.ErrorKind;
import java.util.ArrayList;
import java.util.List;

/**
 * Joins the parts of a point-to-point operation: one, or the two of a send_recv. The operation has ended when all its
 * parts have; the first failure ends the other part too. Owner loop only.
 */
final class Parts implements Operation {
    private final Submission submission;
    private final List<Operation> operations = new ArrayList<>(2);
    private int open;
    private Completion received;
    private ErrorKind failedKind;
    private String failedText;

    private Parts(Submission submission, int count) {
        this.submission = submission;
        this.open = count;
    }

    /** Starts the parts of a point-to-point call. */
    static void start(Submission submission, Messages messages) {
        Call call = submission.call();
        boolean both = call.input() != null && call.output() != null;
        Parts parts = new Parts(submission, both ? 2 : 1);
        submission.work().carriedOutBy(parts);
        if (call.output() != null) {
            messages.receive(submission, parts.new End());
        }
        if (call.input() != null) {
            messages.send(submission, parts.new End());
        }
    }

    @Override
    public void fail(ErrorKind kind, String text) {
        List.copyOf(operations).forEach(operation -> operation.fail(kind, text));
    }

    private void ended() {
        if (--open > 0) {
            return;
        }
        if (failedKind != null) {
            submission.fail(failedKind, failedText);
        } else {
            submission.complete(received);
        }
    }

    private final class End implements PartEnd {
        @Override
        public void carriedOutBy(Operation operation) {
            operations.add(operation);
            if (failedKind != null) {
                operation.fail(failedKind, "its other half has failed: " + failedText);
            }
        }

        @Override
        public void completed(Completion completion) {
            if (received == null || completion.source() >= 0) {
                received = completion;
            }
            ended();
        }

        @Override
        public void failed(ErrorKind kind, String text) {
            if (failedKind == null) {
                failedKind = kind;
                failedText = text;
                fail(kind, "its other half has failed: " + text);
            }
            ended();
        }
    }
}
