package io.parex.client;

import io.parex.ParexException;
import io.parex.client.CollectiveCalls.Combining;
import io.parex.tensor.TensorView;
import io.parex.v1.CallHeader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes the operations of collectives of a rank among so many, once their tensors are found to fit together. Lengths of
 * blocks are null in the plain forms.
 *
 * @param header of the call that is made
 */
record CollectiveOperations(int rank, int size, CallHeader header) {

    ClientOperation barrier() {
        return new ClientOperation(CollectiveCalls.barrier(header), (Memory) null, null);
    }

    ClientOperation broadcast(List<TensorView> tensors, int root) {
        boolean isRoot = root == rank;
        Memory memory = isRoot ? Memory.readable(tensors) : Memory.writable(tensors);
        return new ClientOperation(
                CollectiveCalls.broadcast(header, memory, root), isRoot ? memory : null, isRoot ? null : memory);
    }

    ClientOperation scatter(List<TensorView> input, List<TensorView> output, long[] lengths, int root) {
        Memory block = Memory.writable(output);
        Memory whole = root == rank ? Memory.readable(input) : null;
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.scatter(header, block, root, lengths), whole, block);
    }

    /** Of lengths that only the root knows. */
    ClientOperation scatterOpen(List<TensorView> input, List<TensorView> output, long[] lengths, int root) {
        Memory room = Memory.writable(output);
        Memory whole = root == rank ? Memory.readable(input) : null;
        if (whole != null) {
            Fit.requireSum(whole, lengths, "input");
            Fit.requireApart(whole, room);
        }
        long[] told = whole == null ? null : lengths;
        return new ClientOperation(CollectiveCalls.scatterOpen(header, room, root, told), whole, room).takingUpTo();
    }

    ClientOperation gather(List<TensorView> input, List<TensorView> output, long[] lengths, int root) {
        Memory block = Memory.readable(input);
        Memory whole = root == rank ? Memory.writable(output) : null;
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.gather(header, block, root, lengths), block, whole);
    }

    /** Of lengths that each rank knows of its own block. */
    ClientOperation gatherOpen(List<TensorView> input, List<TensorView> output, int root) {
        Memory block = Memory.readable(input);
        Memory room = root == rank ? Memory.writable(output) : null;
        if (room != null) {
            Fit.requireApart(block, room);
        }
        return new ClientOperation(CollectiveCalls.gatherOpen(header, block, root, room), block, room).takingUpTo();
    }

    ClientOperation allGather(List<TensorView> inputs, List<TensorView> outputs, long[] lengths) {
        Memory block = Memory.readable(inputs);
        Memory whole = Memory.writable(outputs);
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.allGather(header, block, lengths), block, whole);
    }

    /** Of lengths that each rank knows of its own block. */
    ClientOperation allGatherOpen(List<TensorView> input, List<TensorView> output) {
        Memory block = Memory.readable(input);
        Memory room = Memory.writable(output);
        Fit.requireApart(block, room);
        return new ClientOperation(CollectiveCalls.allGatherOpen(header, block, room), block, room).takingUpTo();
    }

    ClientOperation reduce(List<TensorView> input, List<TensorView> output, Combining by, int root) {
        Memory from = Memory.readable(input);
        Memory into = root == rank ? Memory.writable(output) : null;
        if (into != null) {
            Fit.requireAlike(from, into);
        }
        return new ClientOperation(CollectiveCalls.reduce(header, from, by, root), from, into);
    }

    ClientOperation allReduce(List<TensorView> inputs, List<TensorView> outputs, Combining by) {
        Memory from = Memory.readable(inputs);
        Memory into = Memory.writable(outputs);
        Fit.requireAlike(from, into);
        return new ClientOperation(CollectiveCalls.allReduce(header, from, by), from, into);
    }

    ClientOperation reduceScatter(List<TensorView> inputs, List<TensorView> outputs, long[] lengths, Combining by) {
        Memory whole = Memory.readable(inputs);
        Memory block = Memory.writable(outputs);
        requireWhole(whole, block, lengths);
        requirePlace(block, whole, lengths);
        return new ClientOperation(CollectiveCalls.reduceScatter(header, block, by, lengths), whole, block);
    }

    ClientOperation allToAll(List<TensorView> input, List<TensorView> output) {
        Memory from = Memory.readable(input);
        Memory into = Memory.writable(output);
        Fit.requireAlike(from, into);
        ClientOperation operation = new ClientOperation(CollectiveCalls.allToAll(header, from, null, null), from, into);
        return from.isSame(into) ? operation.holdingOutput() : operation;
    }

    ClientOperation allToAll(List<TensorView> input, List<TensorView> output, long[] sent, long[] received) {
        Memory from = Memory.readable(input);
        Memory into = Memory.writable(output);
        Fit.requireType(from, into);
        Fit.requireSum(from, sent, "input");
        Fit.requireSum(into, received, "output");
        boolean isInPlace = from.isSame(into) && Arrays.equals(sent, received);
        if (!isInPlace) {
            Fit.requireApart(from, into);
        }
        ClientOperation operation =
                new ClientOperation(CollectiveCalls.allToAll(header, from, sent, received), from, into);
        return isInPlace ? operation.holdingOutput() : operation;
    }

    /** Of lengths that each rank knows of what it sends. */
    ClientOperation allToAllOpen(List<TensorView> input, List<TensorView> output, long[] sent) {
        Memory from = Memory.readable(input);
        Memory room = Memory.writable(output);
        Fit.requireSum(from, sent, "input");
        Fit.requireApart(from, room);
        return new ClientOperation(CollectiveCalls.allToAllOpen(header, from, sent, room), from, room).takingUpTo();
    }

    /** The parts of outputs of p blocks each in the order in which they come: rank by rank. */
    List<TensorView> byRank(List<TensorView> inputs, List<TensorView> outputs) {
        if (inputs.size() != outputs.size()) {
            throw ParexException.argument(inputs.size() + " inputs and " + outputs.size() + " outputs");
        }
        List<TensorView> parts = new ArrayList<>();
        for (int from = 0; from < size; from++) {
            for (int i = 0; i < inputs.size(); i++) {
                long count = inputs.get(i).count();
                if (outputs.get(i).count() != count * size) {
                    throw ParexException.argument("tensor " + i + " of all blocks has "
                            + outputs.get(i).count() + " elements, " + size + " blocks of " + count + " are due");
                }
                parts.add(outputs.get(i).slice(from * count, count));
            }
        }
        return parts;
    }

    private void requireWhole(Memory whole, Memory block, long[] lengths) {
        if (whole == null) {
            return;
        }
        Fit.requireType(whole, block);
        if (lengths != null) {
            Fit.requireSum(whole, lengths, "tensor of all blocks");
        } else if (whole.count() != block.count() * size) {
            throw ParexException.argument("the tensor of all blocks has " + whole.count() + " elements, " + size
                    + " blocks of " + block.count() + " are due");
        }
    }

    /** A block lies where it belongs in the tensor of all blocks, or apart from it. */
    private void requirePlace(Memory block, Memory whole, long[] lengths) {
        if (whole == null || !block.overlaps(whole)) {
            return;
        }
        long before = lengths == null
                ? rank * block.count()
                : Arrays.stream(lengths).limit(rank).sum();
        if (!block.isAt(whole, before * block.type().bytes())) {
            throw ParexException.argument("the block overlaps the tensor of all blocks, and is not this rank's in it");
        }
    }
}
