package io.parex.cli;

import io.parex.ParexException;
import io.parex.service.Setting;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the configuration library says of a setting, in the words of {@link Setting}. */
final class SettingFailure {
    private static final Pattern CONVERSION = Pattern.compile(
            "config property (\\S+) with the config value \"(.*?)\" threw .*? converted (.*)", Pattern.DOTALL);
    private static final Pattern EMPTY = Pattern.compile("config property (\\S+) is (required|defined as the empty)");
    private static final Pattern UNKNOWN = Pattern.compile("(parex\\.\\S+) in \\S+ does not map");

    /** Its own numbers of errors, and the class of an exception in an exception. */
    private static final Pattern NOISE = Pattern.compile("SRCFG\\d+:? |[\\w.$]+Exception: ");

    private SettingFailure() {}

    /** The error to report for what it says. */
    static ParexException explain(String said) {
        Matcher conversion = CONVERSION.matcher(said);
        if (conversion.find()) {
            String value = conversion.group(2);
            String reason = conversion.group(3);
            return refusal(conversion.group(1), value, reason);
        }
        Matcher empty = EMPTY.matcher(said);
        if (empty.find()) {
            return refusal(empty.group(1), "", "it must not be empty");
        }
        Matcher unknown = UNKNOWN.matcher(said);
        return unknown.find() ? Setting.unknown(unknown.group(1)) : ParexException.argument(clean(said));
    }

    private static ParexException refusal(String property, String value, String reason) {
        return Setting.of(property)
                .map(setting -> setting.refusal(value))
                .orElseGet(() -> ParexException.argument(property + " is '" + value + "': " + clean(reason)));
    }

    private static String clean(String text) {
        return NOISE.matcher(text).replaceAll("").strip();
    }
}
