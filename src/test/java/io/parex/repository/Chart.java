package io.parex.repository;

import com.google.gson.Gson;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The chart of Parex, rendered by Helm. */
public final class Chart {
    static final Path FOLDER = SourceTree.ROOT.resolve("helm/parex");

    /** What the cluster is taken to be; the library's own idea of it is older than the chart allows. */
    private static final String KUBERNETES = "1.33.0";

    private static final Helm HELM = new Helm(FOLDER);

    private Chart() {}

    /** What Helm has to say about it. */
    static LintResult lint() {
        return HELM.lint().strict().call();
    }

    /**
     * The objects of release {@code release} with these values beside the default ones.
     *
     * @throws RuntimeException with Helm's words, if a value is refused
     */
    public static List<Manifest> render(String release, Map<String, Object> values) {
        try {
            // Not by set(), which guesses types. JSON is YAML.
            Path file = Files.createTempFile("values", ".yaml");
            try {
                Files.writeString(file, new Gson().toJson(values));
                return Manifest.parse(HELM.template()
                        .withName(release)
                        .withNamespace("training")
                        .withKubeVersion(KUBERNETES)
                        .withValuesFile(file)
                        .call());
            } finally {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
