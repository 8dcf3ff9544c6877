package io.parex.discovery;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name that a StatefulSet gives a pod: its own, a hyphen, and the pod's ordinal.
 *
 * @param set what stands before the ordinal
 * @param ordinal the digits, which may be more than a rank can be
 */
record PodName(String set, String ordinal) {
    /** A StatefulSet writes no leading zeros: {@code node-01} is some other name. */
    private static final Pattern FORM = Pattern.compile("(.+)-(0|[1-9][0-9]*)");

    /** Empty where the hostname has no ordinal. */
    static Optional<PodName> of(String hostname) {
        int dot = hostname.indexOf('.');
        // Some clusters make the whole domain name the hostname.
        Matcher matcher = FORM.matcher(dot < 0 ? hostname : hostname.substring(0, dot));
        return matcher.matches() ? Optional.of(new PodName(matcher.group(1), matcher.group(2))) : Optional.empty();
    }
}
