package io.parex.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Readable tables of schedules: per step its number, what is done and with whom, the slices, and the steps it waits
 * for. {@code 3+5} after an element-wise wait means that the step may be 5 elements ahead of step 3, {@code 3-5} behind
 * it, and {@code 3!} that step 3 must be over.
 */
public final class SchedulePrinter {
    private SchedulePrinter() {}

    /** The table of one rank. */
    public static String print(Schedule schedule) {
        List<String[]> rows = new ArrayList<>();
        rows.add(new String[] {"step", "action", "slices", "waits for"});
        Map<Integer, List<Edge>> waits =
                schedule.edges().stream().collect(Collectors.groupingBy(Edge::to, TreeMap::new, Collectors.toList()));
        for (int index = 0; index < schedule.steps().size(); index++) {
            Step step = schedule.steps().get(index);
            String waitsFor = waits.getOrDefault(index, List.of()).stream()
                    .map(SchedulePrinter::wait)
                    .collect(Collectors.joining(" "));
            rows.add(new String[] {Integer.toString(index), StepText.action(step), StepText.slices(step), waitsFor});
        }
        return schedule.primitive().label() + " " + schedule.algorithm() + ", rank " + schedule.rank() + " of "
                + schedule.size() + scratch(schedule) + "\n" + table(rows);
    }

    /** The tables of several ranks, one after the other. */
    public static String print(List<Schedule> schedules) {
        return schedules.stream().map(SchedulePrinter::print).collect(Collectors.joining("\n"));
    }

    private static String table(List<String[]> rows) {
        int action = rows.stream().mapToInt(row -> row[1].length()).max().orElse(0);
        int slices = rows.stream().mapToInt(row -> row[2].length()).max().orElse(0);
        String format = "%4s  %-" + action + "s  %-" + slices + "s  %s";
        StringBuilder table = new StringBuilder();
        for (String[] row : rows) {
            table.append(format.formatted((Object[]) row).stripTrailing()).append('\n');
        }
        return table.toString();
    }

    /** Runs of equal buffers together, such as {@code , scratch0..2 of 4 (pipe)}. */
    private static String scratch(Schedule schedule) {
        StringBuilder text = new StringBuilder();
        List<Schedule.Scratch> scratch = schedule.scratch();
        for (int first = 0, end; first < scratch.size(); first = end) {
            end = first + 1;
            while (end < scratch.size() && scratch.get(end).equals(scratch.get(first))) {
                end++;
            }
            text.append(", ").append(Buffer.scratch(first)).append(end - first > 1 ? ".." + (end - 1) : "");
            text.append(" of ").append(scratch.get(first).length());
            text.append(scratch.get(first).pipe() ? " (pipe)" : "");
        }
        return text.toString();
    }

    private static String wait(Edge edge) {
        if (edge.whole()) {
            return edge.from() + "!";
        }
        return edge.shift() == 0 ? Integer.toString(edge.from()) : "%d%+d".formatted(edge.from(), edge.shift());
    }
}
