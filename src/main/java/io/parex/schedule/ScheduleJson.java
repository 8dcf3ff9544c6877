package io.parex.schedule;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Schedules as JSON, one object for each rank; the keys are a contract that scripts read. */
public final class ScheduleJson {
    private static final int SCHEMA = 1;

    private ScheduleJson() {}

    /** The object of one rank, on one line. */
    public static String line(Schedule schedule) {
        String scratch = schedule.scratch().stream()
                .map(buffer -> "{\"length\":" + buffer.length() + ",\"pipe\":" + buffer.pipe() + "}")
                .collect(Collectors.joining(","));
        Map<Integer, List<Edge>> waits = schedule.edges().stream().collect(Collectors.groupingBy(Edge::to));
        String steps = IntStream.range(0, schedule.steps().size())
                .mapToObj(index -> step(index, schedule.steps().get(index), waits.getOrDefault(index, List.of())))
                .collect(Collectors.joining(","));
        return "{\"schema\":" + SCHEMA + ",\"primitive\":\""
                + schedule.primitive().label() + "\",\"algorithm\":\""
                + schedule.algorithm() + "\",\"rank\":" + schedule.rank() + ",\"ranks\":" + schedule.size()
                + ",\"scratch\":[" + scratch + "],\"steps\":[" + steps + "]}";
    }

    private static String step(int index, Step step, List<Edge> waits) {
        String edges = waits.stream()
                .map(edge -> "{\"step\":" + edge.from()
                        + (edge.whole() ? ",\"whole\":true}" : ",\"whole\":false,\"shift\":" + edge.shift() + "}"))
                .collect(Collectors.joining(","));
        return "{\"step\":" + index + "," + what(step) + ",\"waits\":[" + edges + "]}";
    }

    private static String what(Step step) {
        return switch (step) {
            case Step.Send send -> message("send", send.peer(), send.ordinal()) + "," + slice("source", send.source());
            case Step.Recv recv ->
                message("recv", recv.peer(), recv.ordinal()) + "," + slice("target", recv.target()) + ",\"partial\":"
                        + recv.partial();
            case Step.RecvReduce recv ->
                message("recv_reduce", recv.peer(), recv.ordinal()) + "," + slice("own", recv.own()) + ","
                        + slice("target", recv.target()) + ",\"partial\":" + recv.partial() + ",\"own_first\":"
                        + recv.ownFirst();
            case Step.Reduce reduce ->
                "\"action\":\"reduce\"," + slice("left", reduce.left()) + "," + slice("right", reduce.right()) + ","
                        + slice("target", reduce.target());
            case Step.Copy copy ->
                "\"action\":\"copy\"," + slice("source", copy.source()) + "," + slice("target", copy.target());
        };
    }

    private static String message(String action, int peer, int ordinal) {
        return "\"action\":\"" + action + "\",\"peer\":" + peer + ",\"ordinal\":" + ordinal;
    }

    private static String slice(String key, Slice slice) {
        return "\"" + key + "\":{\"buffer\":\"" + slice.buffer() + "\",\"offset\":" + slice.offset() + ",\"length\":"
                + slice.length() + "}";
    }
}
