package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import io.parex.tensor.DataType;
import io.parex.tensor.ReduceOp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The checks of one world. Every cell is checked at every awkward count, roots, places and kinds of values taking turns
 * from one to the next; some cells at the whole product of counts, roots, places and values; large counts take turns
 * among the cells of an algorithm. Each check is listed once.
 */
public final class CheckList {
    /** Of so many cells of an algorithm one is checked at a large count. */
    private static final int LARGE_EVERY = 5;

    /** Of so many cells one is checked at a larger one. */
    private static final int LARGER_EVERY = 25;

    /** Uneven blocks that each cell is checked with. */
    private static final int UNEVEN = 3;

    private final int ranks;
    private final Set<Check> checks = new LinkedHashSet<>();

    /** Goes up by one with each check, and decides what has its turn. */
    private int turn;

    private CheckList(int ranks) {
        this.ranks = ranks;
    }

    /** The checks of worlds of {@code ranks} ranks that {@code filter} takes. */
    public static List<Check> of(int ranks, CheckFilter filter) {
        CheckList list = new CheckList(ranks);
        for (Primitive primitive : Primitive.values()) {
            for (String algorithm : Cells.algorithms(primitive, ranks)) {
                list.addNamed(Cells.of(primitive, algorithm));
            }
            if (primitive.isCollective()) {
                list.addChosen(Cells.of(primitive, Cell.AUTO));
            }
            Cells.refused(primitive).forEach(list::addRefused);
        }
        return list.checks.stream().filter(filter::takes).toList();
    }

    /** By one algorithm, which is named. */
    private void addNamed(List<Cell> cells) {
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            turn = i; // not what the cells before have come to: a check stays the same when others are added
            if (cell.primitive() == Primitive.BARRIER) {
                for (int last = 0; last < ranks; last++) {
                    add(cell, Form.PLAIN, List.of(), last, false, false);
                }
                continue;
            }
            addCounts(cell, i);
            if (cell.primitive().isV()) {
                addUneven(cell);
            }
            if (isListed(cell.primitive())) {
                addTurns(cell, Form.COALESCED, Counts.several());
            }
        }
    }

    private void addCounts(Cell cell, int index) {
        boolean isMostlyUneven = cell.primitive().isV() && !isWhole(cell);
        for (long count : isMostlyUneven ? List.of(Counts.PRIME) : Counts.small(ranks)) {
            if (isWhole(cell)) {
                addWhole(cell, count);
            } else {
                addTurns(cell, Form.PLAIN, blocks(cell.primitive(), count));
            }
        }
        int offset = index + ranks + cell.algorithm().length();
        if (offset % LARGE_EVERY == 0) {
            addTurns(cell, Form.PLAIN, blocks(cell.primitive(), Counts.large(cell.type())));
        }
        if (offset % LARGER_EVERY == 0) {
            addTurns(cell, Form.PLAIN, blocks(cell.primitive(), Counts.larger(cell.primitive(), cell.type(), ranks)));
        }
    }

    /** Every root, place and kind of values. */
    private void addWhole(Cell cell, long count) {
        List<Long> lengths = blocks(cell.primitive(), count);
        for (int root = 0; root < roots(cell.primitive()); root++) {
            for (boolean inPlace : new boolean[] {false, true}) {
                for (boolean rounded : new boolean[] {false, true}) {
                    add(cell, Form.PLAIN, lengths, root, inPlace, rounded);
                }
            }
        }
    }

    private void addUneven(Cell cell) {
        List<List<Long>> uneven = Counts.uneven(ranks);
        boolean hasOpen = cell.primitive() != Primitive.REDUCE_SCATTER_V;
        int checked = isWhole(cell) ? uneven.size() : Math.min(UNEVEN, uneven.size());
        for (int i = 0; i < checked; i++) {
            List<Long> lengths = uneven.get((turn + i) % uneven.size());
            addTurns(cell, Form.PLAIN, lengths);
            if (hasOpen) {
                addTurns(cell, Form.OPEN, lengths);
            }
        }
    }

    /** By the algorithms that the planner chooses. */
    private void addChosen(List<Cell> cells) {
        for (int i = 0; i < cells.size(); i++) {
            Cell cell = cells.get(i);
            turn = i;
            if (cell.primitive() == Primitive.BARRIER) {
                continue; // there is one algorithm, whose checks are there
            }
            List<Long> counts = new ArrayList<>(List.of(Counts.PRIME));
            if ((i + ranks) % LARGE_EVERY == 0) {
                counts.add(Counts.large(cell.type()));
            }
            for (long count : counts) {
                addTurns(cell, Form.PLAIN, blocks(cell.primitive(), count));
                if (cell.primitive().reducing()) {
                    addTurns(cell, Form.DETERMINISTIC, blocks(cell.primitive(), count));
                }
            }
        }
    }

    private void addRefused(Cell cell) {
        add(cell, Form.REFUSED, blocks(cell.primitive(), 3), 0, false, false);
    }

    /** With the root, place and kind of values whose turn it is. */
    private void addTurns(Cell cell, Form form, List<Long> lengths) {
        add(cell, form, lengths, turn % roots(cell.primitive()), turn % 2 == 0, turn / 2 % 2 == 0);
        turn++;
    }

    private void add(Cell cell, Form form, List<Long> lengths, int root, boolean inPlace, boolean rounded) {
        boolean hasPlace = !lengths.isEmpty()
                && cell.primitive().isCollective()
                && cell.primitive() != Primitive.BROADCAST
                && form != Form.OPEN;
        checks.add(new Check(
                ranks, cell, form, lengths, root, inPlace && hasPlace, rounded && isRounding(cell) && ranks > 1));
    }

    /** Whether there are values whose results have to be rounded. */
    private static boolean isRounding(Cell cell) {
        return cell.op() != null
                && Numbers.isFloating(cell.type())
                && cell.op() != ReduceOp.MIN
                && cell.op() != ReduceOp.MAX;
    }

    private static boolean isWhole(Cell cell) {
        return cell.op() == null
                ? cell.type() == DataType.UINT8 || cell.type() == DataType.FLOAT32
                : cell.op() == ReduceOp.SUM && (cell.type() == DataType.INT32 || cell.type() == DataType.FLOAT32);
    }

    private static boolean isListed(Primitive primitive) {
        return switch (primitive) {
            case BROADCAST, ALL_GATHER, ALL_REDUCE, REDUCE_SCATTER -> true;
            default -> false;
        };
    }

    private int roots(Primitive primitive) {
        boolean isMessage = !primitive.isCollective() && primitive != Primitive.SEND_RECV;
        return primitive.rooted() || isMessage ? ranks : 1;
    }

    /** A block of {@code count} elements for each rank, where there are blocks; a v-form says each. */
    private List<Long> blocks(Primitive primitive, long count) {
        return primitive.isV() ? Collections.nCopies(ranks, count) : List.of(count);
    }
}
