package io.parex.bench.verify;

import io.parex.schedule.Primitive;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What checks cover of the product of primitives, algorithms, types and operations. */
public final class Coverage {
    private static final String ROW = "# %-18s %10s %8s %8s %8s";

    private final Set<Cell> all = new HashSet<>();
    private final List<Check> checks;
    private final Set<Cell> covered;

    /** What {@code checks} cover of what there is for worlds of {@code sizes} ranks. */
    public Coverage(List<Integer> sizes, List<Check> checks) {
        sizes.forEach(size -> all.addAll(Cells.of(size)));
        this.checks = checks;
        this.covered = checks.stream().map(Check::cell).collect(Collectors.toSet());
        covered.retainAll(all);
    }

    /** Cells of the product. */
    public int cells() {
        return all.size();
    }

    /** Cells with a check. */
    public int covered() {
        return covered.size();
    }

    /** A table with a row for each primitive that has a check. */
    public List<String> lines() {
        List<String> rows = Arrays.stream(Primitive.values())
                .filter(primitive -> checksOf(primitive) > 0)
                .map(this::row)
                .collect(Collectors.toList());
        rows.addFirst(line("primitive", "algorithms", "cells", "covered", "checks"));
        rows.add(line("all", "", cells(), covered(), checks.size()));
        return rows;
    }

    private String row(Primitive primitive) {
        List<Cell> own =
                all.stream().filter(cell -> cell.primitive() == primitive).toList();
        return line(
                primitive.label(),
                own.stream().map(Cell::algorithm).distinct().count(),
                own.size(),
                own.stream().filter(covered::contains).count(),
                checksOf(primitive));
    }

    private long checksOf(Primitive primitive) {
        return checks.stream().filter(check -> check.primitive() == primitive).count();
    }

    private static String line(Object... columns) {
        return String.format(Locale.ROOT, ROW, columns);
    }
}
