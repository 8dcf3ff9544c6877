package io.parex.schedule;

/**
 * What an algorithm is asked to schedule for one rank.
 *
 * <table>
 * <caption>What blocks are, and what is in the tensors of a rank</caption>
 * <tr><th>primitive</th><th>blocks</th><th>input</th><th>output</th></tr>
 * <tr><td>barrier</td><td>none has elements</td><td>empty</td><td>empty</td></tr>
 * <tr><td>broadcast</td><td>the count only</td><td>at the root: all</td><td>elsewhere: all</td></tr>
 * <tr><td>scatter</td><td>block r for rank r</td><td>at the root: all</td><td>own block</td></tr>
 * <tr><td>gather</td><td>block r of rank r</td><td>own block</td><td>at the root: all</td></tr>
 * <tr><td>all_gather</td><td>block r of rank r</td><td>own block</td><td>all</td></tr>
 * <tr><td>reduce</td><td>the count only</td><td>all</td><td>at the root: all</td></tr>
 * <tr><td>all_reduce</td><td>the count only</td><td>all</td><td>all</td></tr>
 * <tr><td>reduce_scatter</td><td>block r for rank r</td><td>all</td><td>own block</td></tr>
 * <tr><td>all_to_all</td><td>block r for rank r, incoming of rank r</td><td>blocks</td><td>incoming</td></tr>
 * </table>
 *
 * <p>Blocks are equal on all ranks, but not for all_to_all, where what a rank has for another is what the other gets
 * from it; and scatter_v and gather_v need all lengths at the root only: elsewhere a rank's own must be right, and what
 * the others are is anything.
 *
 * <p>In place, a tensor that is part of the other is that part's memory: see {@link #aliasing}.
 *
 * @param primitive what is computed; the v-form where lengths of blocks may differ
 * @param rank this rank in its group
 * @param root group rank of the root, 0 for rootless primitives
 * @param blocks one per rank
 * @param incoming one per rank; those of {@code blocks} unless for all_to_all
 * @param inPlace whether input and output share memory on this rank; says nothing where either is empty by definition
 * @param placement which ranks share a host
 */
public record Problem(
        Primitive primitive, int rank, int root, Blocks blocks, Blocks incoming, boolean inPlace, Placement placement) {

    public Problem {
        int size = blocks.size();
        boolean good = rank >= 0 && rank < size && root >= 0 && root < size;
        if (!good || incoming.size() != size) {
            throw new IllegalArgumentException("rank " + rank + " of " + size + ", root " + root + ", blocks " + blocks
                    + ", incoming " + incoming);
        }
        boolean plain = primitive.isBlocked() && !primitive.isV();
        if (plain && !(blocks.areEqual() && incoming.areEqual())) {
            throw new IllegalArgumentException(primitive.label() + " of unequal blocks: " + blocks + ", " + incoming);
        }
    }

    /** A problem of ranks of whose hosts nothing is known. */
    public Problem(Primitive primitive, int rank, int root, Blocks blocks, Blocks incoming, boolean inPlace) {
        this(primitive, rank, root, blocks, incoming, inPlace, Placement.UNKNOWN);
    }

    /** Ranks of the group, 1 or more. */
    public int size() {
        return blocks.size();
    }

    /** The same on these hosts. */
    public Problem on(Placement hosts) {
        return new Problem(primitive, rank, root, blocks, incoming, inPlace, hosts);
    }

    /** Which ranks share a host; each is alone where nothing is known. */
    public Placement hosts() {
        return placement.known(size());
    }

    /**
     * The problem of a primitive other than all_to_all_v.
     *
     * @param blocks of the whole tensor
     */
    public static Problem of(Primitive primitive, int rank, int size, Blocks blocks, int root, boolean inPlace) {
        if (blocks.size() != size) {
            throw new IllegalArgumentException(size + " ranks, and blocks " + blocks);
        }
        return new Problem(primitive, rank, root, blocks, blocks, inPlace);
    }

    /**
     * The problem of a tensor of {@code count} elements on {@code size} ranks; a primitive that is plain and gives each
     * rank a block needs a count that the ranks divide.
     */
    public static Problem of(Primitive primitive, int rank, int size, long count, int root, boolean inPlace) {
        Blocks blocks = Blocks.spread(count, size);
        Blocks incoming = primitive.base() == Primitive.ALL_TO_ALL ? Blocks.each(blocks.length(rank), size) : blocks;
        return new Problem(primitive, rank, root, blocks, incoming, inPlace);
    }

    /** Elements of the whole tensor. */
    public long count() {
        return blocks.count();
    }

    /** Whether this rank is the root. */
    public boolean isRoot() {
        return rank == root;
    }

    /** Elements of this rank's input. */
    public long inputLength() {
        return switch (primitive.base()) {
            case GATHER, ALL_GATHER -> blocks.length(rank);
            case BROADCAST, SCATTER -> isRoot() ? count() : 0;
            case REDUCE, ALL_REDUCE, REDUCE_SCATTER, ALL_TO_ALL -> count();
            default -> 0;
        };
    }

    /** Elements of this rank's output. */
    public long outputLength() {
        return switch (primitive.base()) {
            case SCATTER, REDUCE_SCATTER -> blocks.length(rank);
            case BROADCAST -> isRoot() ? 0 : count();
            case GATHER, REDUCE -> isRoot() ? count() : 0;
            case ALL_GATHER, ALL_REDUCE -> count();
            case ALL_TO_ALL -> incoming.count();
            default -> 0;
        };
    }

    /**
     * Which elements of input and output are the same memory: none unless in place; else the input is this rank's block
     * of the output (gather at the root, all_gather), or the output this rank's block of the input (scatter at the
     * root, reduce_scatter), or both are one tensor (reduce at the root, all_reduce, all_to_all with equal layouts).
     */
    public Aliasing aliasing() {
        boolean elsewhere = primitive.rooted() && !isRoot();
        if (!inPlace || elsewhere) {
            return Aliasing.NONE;
        }
        return switch (primitive.base()) {
            case GATHER, ALL_GATHER -> Aliasing.shifted(-blocks.offset(rank));
            case SCATTER, REDUCE_SCATTER -> Aliasing.shifted(blocks.offset(rank));
            case REDUCE, ALL_REDUCE, ALL_TO_ALL -> Aliasing.shifted(0);
            default -> Aliasing.NONE;
        };
    }
}
