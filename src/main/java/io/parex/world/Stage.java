package io.parex.world;

import io.parex.ErrorKind;
import io.parex.ParexException;
import io.parex.protocol.Failure;
import io.parex.schedule.Buffer;
import io.parex.schedule.Schedule;
import io.parex.schedule.Slice;
import io.parex.schedule.Step;
import java.util.stream.Stream;

/**
 * One schedule of a call on its way: its memory and its run, between the call and the ranks around it. A call has one
 * stage, but two where the ranks first tell each other lengths. The transfers of both are numbered apart. Owner loop
 * only.
 */
final class Stage implements Wire {
    /** What is added to the numbers of transfers that bring lengths. */
    static final int LENGTHS = 1 << 30;

    private final CollectiveCall call;
    private final int base;
    private final TensorStream input;
    private final TensorStream output;
    private final Buffers buffers;
    private final ScheduleRunner runner;

    /**
     * Takes all the memory that the schedule needs.
     *
     * @param base what is added to the numbers of transfers
     * @param reducing null where nothing is reduced
     * @param onDone runs once, when all steps are done
     * @throws io.parex.ParexException of kind overloaded if there is not enough memory, argument if the schedule needs
     *     a tensor whole that is not; nothing is kept then
     */
    Stage(
            CollectiveCall call,
            int base,
            Schedule schedule,
            TensorStream input,
            TensorStream output,
            Reducing reducing,
            Runnable onDone) {
        this.call = call;
        this.base = base;
        this.input = input;
        this.output = output;
        requireInOrder(schedule, input, Buffer.INPUT);
        requireInOrder(schedule, output, Buffer.OUTPUT);
        int valueWidth = input != null
                ? input.type().bytes()
                : output != null ? output.type().bytes() : 1;
        int partialWidth = reducing == null ? valueWidth : reducing.width(true);
        buffers = new Buffers(
                input, output, partialWidth, schedule, call.group().core().pool());
        StreamGates gates = new StreamGates(input, output);
        runner = new ScheduleRunner(call.group().core().loop(), schedule, buffers, reducing, gates, this, onDone);
    }

    /** A tensor that passes through a window must be worked through once, from its first element to its last. */
    private static void requireInOrder(Schedule schedule, TensorStream stream, Buffer buffer) {
        if (stream == null || stream.isWhole()) {
            return;
        }
        boolean inOrder = schedule.steps().stream()
                .flatMap(Stage::slices)
                .filter(slice -> slice.buffer().equals(buffer))
                .allMatch(slice -> slice.offset() == 0 && slice.length() == stream.count());
        if (!inOrder) {
            throw new ParexException(
                    ErrorKind.ARGUMENT,
                    schedule.primitive().label() + " by " + schedule.algorithm()
                            + " needs memory for the whole tensor of " + stream.byteSize() + " bytes");
        }
    }

    private static Stream<Slice> slices(Step step) {
        return switch (step) {
            case Step.Send send -> Stream.of(send.source());
            case Step.Recv recv -> Stream.of(recv.target());
            case Step.RecvReduce recv -> Stream.of(recv.own(), recv.target());
            case Step.Reduce reduce -> Stream.of(reduce.left(), reduce.right(), reduce.target());
            case Step.Copy copy -> Stream.of(copy.source(), copy.target());
        };
    }

    /** Begins every step that can. */
    void start() {
        if (input != null && input.written() < input.byteSize()) {
            input.onWritten(() -> call.group().core().loop().execute(runner::inputGrew));
        }
        if (output != null && !output.isWhole()) {
            output.onConsumed(() -> call.group().core().loop().execute(runner::outputDrained));
        }
        runner.start();
    }

    /** A peer has announced a transfer of this stage; false if the schedule has none such. */
    boolean attach(int peer, int number, InTransfer transfer) throws LengthsDiffer {
        return runner.attach(peer, number - base, transfer);
    }

    /** A peer takes the first {@code bytes} bytes of a transfer of this stage. */
    void granted(int peer, int number, long bytes) throws LengthsDiffer {
        runner.granted(peer, number - base, bytes);
    }

    /** A peer is known to agree to what this rank sends it. */
    void agreedBy(int peer) {
        runner.agreed(peer);
    }

    /** Group ranks without which the stage cannot end. */
    int[] awaited() {
        return runner.awaited();
    }

    /** Those of {@link #awaited} for whom it waits now. */
    int[] blockers() {
        return runner.blockers();
    }

    /** Ends the stage for want of success; what is lent is asked back. */
    void stop(Failure cause) {
        runner.stop();
        runner.incoming().forEach(InTransfer::drop);
        for (OutTransfer transfer : runner.outgoing()) {
            transfer.withdraw(cause);
        }
    }

    /** Whether a peer may still refer to memory of the stage. */
    boolean isLent() {
        return runner.outgoing().stream().anyMatch(OutTransfer::isLent);
    }

    /** Gives the memory back. */
    void release() {
        buffers.release();
    }

    @Override
    public OutTransfer open(int peer, int ordinal, long bytes, ByteSpace source, Runnable onProgress) {
        return call.open(peer, base + ordinal, bytes, source, onProgress);
    }

    @Override
    public void grant(int peer, int ordinal, long bytes) {
        call.grant(peer, base + ordinal, bytes);
    }

    @Override
    public long takeLookAhead(int peer, long bytes) {
        return call.group().peer(peer).takeLookAhead(bytes);
    }

    @Override
    public void returnLookAhead(int peer, long bytes) {
        call.group().peer(peer).returnLookAhead(bytes);
    }

    @Override
    public boolean agreed(int peer) {
        return call.agreed(peer);
    }
}
