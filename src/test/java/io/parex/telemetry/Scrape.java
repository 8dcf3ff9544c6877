package io.parex.telemetry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What Prometheus would store of one or several scrapes, and the two functions that the tests need of its language. */
final class Scrape {
    private static final Pattern LINE = Pattern.compile("(\\w+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

    private final List<Sample> samples = new ArrayList<>();

    /** One series' value. */
    record Sample(String name, Map<String, String> labels, double value) {
        boolean has(Map<String, String> wanted) {
            return labels.entrySet().containsAll(wanted.entrySet());
        }
    }

    /** Scrapes every pod. */
    static Scrape of(Pod... pods) {
        Scrape scrape = new Scrape();
        for (Pod pod : pods) {
            pod.scrape().lines().filter(line -> !line.startsWith("#")).forEach(scrape::add);
        }
        return scrape;
    }

    private void add(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(line);
        }
        String labels = matcher.group(2) == null ? "" : matcher.group(2);
        Map<String, String> byKey = LABEL.matcher(labels)
                .results()
                .collect(Collectors.toMap(label -> label.group(1), (MatchResult label) -> label.group(2)));
        samples.add(new Sample(matcher.group(1), byKey, Double.parseDouble(matcher.group(3))));
    }

    /** Every series: name and labels, in order. */
    List<String> series() {
        return samples.stream()
                .map(sample -> sample.name() + new TreeMap<>(sample.labels()))
                .sorted()
                .toList();
    }

    /** Names and label keys. */
    Map<String, Set<String>> labelKeys() {
        return samples.stream()
                .collect(
                        Collectors.toMap(Sample::name, sample -> sample.labels().keySet(), (a, b) -> a, TreeMap::new));
    }

    /** {@code sum(name{labels})}. */
    double sum(String name, Map<String, String> labels) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name) && sample.has(labels))
                .mapToDouble(Sample::value)
                .sum();
    }

    /** {@code sum by (le) (name_bucket{labels})}. */
    SequencedMap<Double, Double> buckets(String name, Map<String, String> labels) {
        SequencedMap<Double, Double> byBound = new TreeMap<>();
        samples.stream()
                .filter(sample -> sample.name().equals(name + "_bucket") && sample.has(labels))
                .forEach(sample -> byBound.merge(bound(sample.labels().get("le")), sample.value(), Double::sum));
        return byBound;
    }

    private static double bound(String le) {
        return le.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(le);
    }

    /** {@code histogram_quantile(q, sum by (le) (name_bucket{labels}))}. */
    double quantile(double q, String name, Map<String, String> labels) {
        SequencedMap<Double, Double> buckets = buckets(name, labels);
        double wanted = q * buckets.lastEntry().getValue();
        double lowerBound = 0;
        double lowerCount = 0;
        for (Map.Entry<Double, Double> bucket : buckets.entrySet()) {
            if (bucket.getValue() >= wanted) {
                double share = (wanted - lowerCount) / (bucket.getValue() - lowerCount);
                return bucket.getKey().isInfinite() ? lowerBound : lowerBound + (bucket.getKey() - lowerBound) * share;
            }
            lowerBound = bucket.getKey();
            lowerCount = bucket.getValue();
        }
        return Double.NaN;
    }
}
