package io.parex.telemetry;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * All meters of Parex, the only place that names them. The documentation's table is what {@link #markdown} renders. The
 * labels are all there are: none of them takes a value from a call's tag, name, exact size or address, so the number of
 * series has a bound that no client can move.
 */
public enum MeterNames {
    /** Duration of operations. */
    OPERATION_DURATION(
            "parex.operation.duration",
            Meter.Type.TIMER,
            "seconds",
            "Time from submission to completion, as a histogram.",
            Label.PRIMITIVE,
            Label.SIZE_CLASS,
            Label.OUTCOME,
            Label.RANK),
    /** Number of operations. */
    OPERATIONS(
            "parex.operations",
            Meter.Type.COUNTER,
            "",
            "Operations that ended; `algorithm` is `direct` where there is none to choose.",
            Label.PRIMITIVE,
            Label.ALGORITHM,
            Label.OUTCOME,
            Label.RANK),
    /** Size of operations. */
    OPERATION_BYTES(
            "parex.operation.bytes",
            Meter.Type.COUNTER,
            "bytes",
            "Bytes of the tensors of operations that ended well, of the larger side where the sides differ.",
            Label.PRIMITIVE,
            Label.RANK),
    /** Size of operations, weighted. */
    OPERATION_BUS_BYTES(
            "parex.operation.bus.bytes",
            Meter.Type.COUNTER,
            "bytes",
            "The same times the primitive's busbw factor: its rate over that of the duration's sum is busbw.",
            Label.PRIMITIVE,
            Label.SIZE_CLASS,
            Label.RANK),
    /** Waiting for peers. */
    OPERATION_WAIT(
            "parex.operation.wait",
            Meter.Type.TIMER,
            "seconds",
            "The part of the duration until every peer needed had called, of operations that ended well, as a"
                    + " histogram; the rest is transfer.",
            Label.PRIMITIVE,
            Label.RANK),
    /** Operations now. */
    OPERATIONS_IN_FLIGHT(
            "parex.operations.in.flight", Meter.Type.GAUGE, "", "Operations submitted and not ended.", Label.RANK),
    /** Traffic with a peer. */
    PEER_BYTES(
            "parex.peer.bytes",
            Meter.Type.COUNTER,
            "bytes",
            "Tensor bytes exchanged with a peer; `direction` is `in` or `out`.",
            Label.DIRECTION,
            Label.PEER,
            Label.RANK),
    /** Whether a peer is there. */
    PEER_CONNECTED(
            "parex.peer.connected",
            Meter.Type.GAUGE,
            "",
            "1 while there is a connection to the peer, else 0; it is made when first needed, also within a process.",
            Label.PEER,
            Label.RANK),
    /** Connections that came after another. */
    CONNECTIONS_RESUMED(
            "parex.connections.resumed",
            Meter.Type.COUNTER,
            "",
            "Connections over which links to ranks of other processes went on after they had lost one.",
            Label.RANK),
    /** Strangers. */
    CONNECTIONS_REFUSED(
            "parex.connections.refused",
            Meter.Type.COUNTER,
            "",
            "Connections on the port for other ranks that were refused, by the reason; the log says more.",
            Label.REASON,
            Label.RANK),
    /** Ranks not heard of. */
    RANKS_MISSING(
            "parex.ranks.missing",
            Meter.Type.GAUGE,
            "",
            "Ranks of the world of which this one has not heard yet; 0 once it has joined.",
            Label.RANK),
    /** Ranks whose process has died. */
    RANKS_LOST(
            "parex.ranks.lost",
            Meter.Type.GAUGE,
            "",
            "Ranks of the world that this one knows to be lost and not started again.",
            Label.RANK),
    /** Restarts of ranks. */
    EPOCH(
            "parex.epoch",
            Meter.Type.GAUGE,
            "",
            "Sum of the generations of all ranks as this one knows them: grows with each restart of one; 0 until it has"
                    + " joined.",
            Label.RANK),
    /** Memory for copies. */
    SCRATCH_BYTES(
            "parex.scratch.bytes",
            Meter.Type.GAUGE,
            "bytes",
            "Native memory in use for copies of small messages and for partial results, by all ranks of the process"
                    + " together: each shows the same.",
            Label.RANK),
    /** The most of it. */
    SCRATCH_LIMIT_BYTES(
            "parex.scratch.limit.bytes",
            Meter.Type.GAUGE,
            "bytes",
            "The most that `parex_scratch_bytes` can be.",
            Label.RANK);

    private final String meter;
    private final Meter.Type type;
    private final String unit;
    private final String meaning;
    private final List<Label> labels;

    MeterNames(String meter, Meter.Type type, String unit, String meaning, Label... labels) {
        this.meter = meter;
        this.type = type;
        this.unit = unit;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    /** What series are told apart by. */
    enum Label {
        PRIMITIVE,
        ALGORITHM,
        SIZE_CLASS,
        OUTCOME,
        DIRECTION,
        PEER,
        REASON,
        RANK;

        /** As it is scraped. */
        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Micrometer's name. */
    public String meter() {
        return meter;
    }

    /** Base unit, null where things are counted. */
    String baseUnit() {
        return unit.isEmpty() ? null : unit;
    }

    /** One sentence. */
    public String meaning() {
        return meaning;
    }

    /** Keys of the labels, each series has all of them. */
    public List<String> labels() {
        return labels.stream().map(Label::key).toList();
    }

    /** The labels with their values, in the order of {@link #labels}. */
    Tags tags(String... values) {
        if (values.length != labels.size()) {
            throw new IllegalArgumentException(meter + " has the labels " + labels() + ", not " + values.length);
        }
        Tags tags = Tags.empty();
        for (int i = 0; i < values.length; i++) {
            tags = tags.and(labels.get(i).key(), values[i]);
        }
        return tags;
    }

    /** The name in a scrape, without the suffixes that a histogram's parts have. */
    public String scraped() {
        String snake = meter.replace('.', '_');
        return switch (type) {
            case TIMER -> snake + "_seconds";
            case COUNTER -> snake + "_total";
            default -> snake;
        };
    }

    /** All rows as a table in Markdown. */
    public static String markdown() {
        return "| Name | Type | Unit | Labels | Meaning |\n|---|---|---|---|---|\n"
                + Arrays.stream(values()).map(MeterNames::row).collect(Collectors.joining());
    }

    private String row() {
        return "| `%s` | %s | %s | %s | %s |\n".formatted(scraped(), kind(), unit, labelCodes(), meaning);
    }

    private String kind() {
        return type == Meter.Type.TIMER ? "histogram" : type.name().toLowerCase(Locale.ROOT);
    }

    private String labelCodes() {
        return labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", "));
    }
}
