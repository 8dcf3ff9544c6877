package io.parex.repository;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.kubernetes.client.openapi.models.V1Service;
import io.kubernetes.client.openapi.models.V1StatefulSet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** An object for Kubernetes, as it is written in YAML. */
public record Manifest(JsonObject object) {

    /** All objects of a text; a key that is there twice is refused, where Kubernetes would take one of the two. */
    static List<Manifest> parse(String text) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        Iterable<Object> documents = new Yaml(new SafeConstructor(options)).loadAll(text);
        return StreamSupport.stream(documents.spliterator(), false)
                .filter(Objects::nonNull)
                .map(document -> new Manifest((JsonObject) new Gson().toJsonTree(document)))
                .toList();
    }

    /** The only object of a kind. */
    public static Manifest only(List<Manifest> manifests, String kind) {
        List<Manifest> found = manifests.stream()
                .filter(manifest -> manifest.kind().equals(kind))
                .toList();
        if (found.size() != 1) {
            throw new AssertionError(found.size() + " objects of kind " + kind);
        }
        return found.getFirst();
    }

    String kind() {
        return text("kind");
    }

    public String name() {
        return text("metadata", "name");
    }

    /** What lies at the end of the path; a number stands for an element of a list. Null if there is nothing. */
    public JsonElement at(Object... path) {
        JsonElement here = object;
        for (Object step : path) {
            here = here == null
                    ? null
                    : step instanceof Integer index
                            ? here.getAsJsonArray().get(index)
                            : here.getAsJsonObject().get((String) step);
        }
        return here;
    }

    public String text(Object... path) {
        return at(path).getAsString();
    }

    int number(Object... path) {
        return at(path).getAsInt();
    }

    boolean flag(Object... path) {
        return at(path).getAsBoolean();
    }

    /** What keeps Kubernetes from taking it as it is meant: unknown fields, missing ones, values of another type. */
    List<String> faults() throws IOException {
        String read;
        try {
            switch (kind()) {
                case "Service" -> {
                    V1Service.validateJsonElement(object);
                    read = V1Service.fromJson(object.toString()).toJson();
                }
                case "StatefulSet" -> {
                    V1StatefulSet.validateJsonElement(object);
                    read = V1StatefulSet.fromJson(object.toString()).toJson();
                }
                default -> {
                    return List.of("nobody looks at kind " + kind());
                }
            }
        } catch (IllegalArgumentException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
        // The library reads "7610" where a number belongs, and a number where text does. The API server does not, so
        // everything must come out as it went in.
        List<String> faults = new ArrayList<>();
        compare(name(), object, JsonParser.parseString(read), faults);
        return faults;
    }

    private static void compare(String path, JsonElement written, JsonElement read, List<String> faults) {
        switch (written) {
            case JsonObject fields
            when read instanceof JsonObject known -> {
                for (Map.Entry<String, JsonElement> field : fields.entrySet()) {
                    compare(path + "." + field.getKey(), field.getValue(), known.get(field.getKey()), faults);
                }
            }
            case JsonArray list
            when read instanceof JsonArray known && list.size() == known.size() -> {
                for (int index = 0; index < list.size(); index++) {
                    compare(path + "[" + index + "]", list.get(index), known.get(index), faults);
                }
            }
            case JsonPrimitive value when value.equals(read) -> {
                // Lossless.
            }
            default -> faults.add(path + " is " + written + ", read as " + read);
        }
    }
}
