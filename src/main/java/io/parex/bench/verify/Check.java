package io.parex.bench.verify;

import io.parex.bench.Exchange;
import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One call of one primitive on all ranks, after which all outputs are compared. It says all that the call depends on:
 * the same check is the same call, with the same values in memory.
 *
 * @param ranks of the world
 * @param cell what is called
 * @param form how
 * @param lengths elements: of the tensor, or of the block of each rank, or of each tensor of a list; none for a barrier
 * @param root of a rooted primitive; the sender of a message; the rank that comes last to a barrier; else 0
 * @param inPlace whether input and output share memory where they can
 * @param rounded whether values are such that sums have to be rounded; else all results are exact
 */
public record Check(int ranks, Cell cell, Form form, List<Long> lengths, int root, boolean inPlace, boolean rounded) {

    public Check {
        lengths = List.copyOf(lengths);
    }

    Primitive primitive() {
        return cell.primitive();
    }

    DataType type() {
        return cell.type();
    }

    /** Whether a rank has a part of its own. */
    private boolean hasRoot() {
        return primitive().rooted() || primitive() == Primitive.BARRIER || isMessage();
    }

    /** Whether one rank sends to the next one, and no other takes part. */
    boolean isMessage() {
        return !primitive().isCollective() && primitive() != Primitive.SEND_RECV;
    }

    /** The rank that a message goes to. */
    int receiver() {
        return (root + 1) % ranks;
    }

    /** Whether the receive of a message is called before the send, and not after it. */
    boolean isReceivedFirst() {
        return primitive() == Primitive.SEND || primitive() == Primitive.IRECV;
    }

    /** The ranks in the order in which they call. */
    List<Integer> callers() {
        if (isMessage()) {
            return Stream.of(isReceivedFirst() ? receiver() : root, isReceivedFirst() ? root : receiver())
                    .distinct()
                    .toList();
        }
        return IntStream.range(0, ranks).boxed().toList();
    }

    /** The tensors of the call, each as an exchange of its own: one, but for a list and a barrier. */
    List<Exchange> exchanges() {
        if (form == Form.COALESCED || lengths.isEmpty()) {
            return lengths.stream().map(each -> exchange(each)).toList();
        }
        return List.of(exchange(lengths.stream().mapToLong(each -> each).toArray()));
    }

    private Exchange exchange(long... blocks) {
        return new Exchange(primitive(), ranks, root, inPlace, inPlace, blocks);
    }

    /** A name that stands for this check alone, such as {@code n4/all_reduce/ring/float32/sum/1009/in_place}. */
    public String id() {
        return "n" + ranks + "/" + cell
                + (lengths.isEmpty()
                        ? ""
                        : "/" + lengths.stream().map(String::valueOf).collect(Collectors.joining("+")))
                + (hasRoot() ? "/root" + root : "")
                + (inPlace ? "/in_place" : "")
                + (form == Form.PLAIN ? "" : "/" + form.label())
                + (rounded ? "/rounded" : "");
    }

    @Override
    public String toString() {
        return id();
    }
}
