package io.parex.bench;

import java.util.Locale;

/** Writes one flat JSON object on one line, keys in the order given. */
public final class JsonObject {
    private final StringBuilder text = new StringBuilder("{");

    /** A text. */
    public JsonObject put(String key, String value) {
        key(key);
        string(value);
        return this;
    }

    /** A whole number. */
    public JsonObject put(String key, long value) {
        key(key);
        text.append(value);
        return this;
    }

    /** A truth. */
    public JsonObject put(String key, boolean value) {
        key(key);
        text.append(value);
        return this;
    }

    /** A finite number, to six decimals. */
    public JsonObject put(String key, double value) {
        key(key);
        text.append(String.format(Locale.ROOT, "%.6f", value));
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }

    private void key(String key) {
        if (text.length() > 1) {
            text.append(',');
        }
        string(key);
        text.append(':');
    }

    private void string(String value) {
        text.append('"');
        for (char c : value.toCharArray()) {
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (c < ' ') {
                text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }
}
