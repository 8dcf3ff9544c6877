package io.parex.repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.Architectures.LayeredArchitecture;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which package may use which, and which libraries: the table of the architecture page, enforced. */
@AnalyzeClasses(packages = LayeringTest.BASE, importOptions = ImportOption.DoNotIncludeTests.class)
class LayeringTest {
    static final String BASE = "io.parex";

    /** Holds only the exception and its kinds; every package may use it. */
    private static final String ROOT = "root";

    /** For each package those that it may use, besides the root. */
    private static final Map<String, List<String>> MAY_USE = new LinkedHashMap<>();

    static {
        MAY_USE.put("tensor", List.of());
        MAY_USE.put("schedule", List.of());
        MAY_USE.put("algorithm", List.of("schedule"));
        MAY_USE.put("planner", List.of("schedule", "algorithm"));
        MAY_USE.put("protocol", List.of("tensor", "schedule"));
        MAY_USE.put("transport", List.of("protocol", "tensor"));
        MAY_USE.put("discovery", List.of());
        MAY_USE.put("simulator", List.of("protocol", "transport", "tensor"));
        MAY_USE.put("world", List.copyOf(MAY_USE.keySet()));
        // The API of world speaks in tensors and primitives, so whoever uses it sees those packages as well.
        MAY_USE.put("telemetry", List.of("world", "tensor", "schedule"));
        MAY_USE.put("v1", List.of());
        MAY_USE.put("client", List.of("v1", "tensor"));
        MAY_USE.put("service", List.of("world", "planner", "v1", "tensor", "schedule", "transport", "discovery"));
        MAY_USE.put("console", List.of("world", "telemetry", "tensor", "schedule"));
        MAY_USE.put("bench", List.of("world", "planner", "algorithm", "tensor", "schedule"));
        MAY_USE.put("demo", List.of("client", "tensor"));
        MAY_USE.put("cli", List.copyOf(MAY_USE.keySet()));
    }

    @ArchTest
    static final ArchRule shouldPointDownOnly = layers().as(
                    "Packages use only those that the table in LayeringTest gives them")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNeedOnlyTheJdkBelowTransport = classes()
            .that()
            .resideInAnyPackage(within("tensor", "schedule", "algorithm", "planner", "protocol"))
            .or()
            .resideInAPackage(BASE)
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("java..", "jdk.incubator.vector..", BASE + "..")
            .because("they are pure: tests run them with no network, no threads and no clock")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNotNeedQuarkusUpToWorld = noClasses()
            .that()
            .resideInAnyPackage(within("transport", "discovery", "simulator", "world", "bench"))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.quarkus..", "jakarta..", "org.eclipse.microprofile..", "io.grpc..")
            .because("a rank is an ordinary object: a test starts eight in one JVM without a container")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldUseVertxInTransportAndDiscoveryOnly = noClasses()
            .that()
            .resideOutsideOfPackages(within("transport", "discovery"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.vertx..")
            .because("the rest sees links and an owner loop, which the simulator provides as well")
            .allowEmptyShould(true);

    private static LayeredArchitecture layers() {
        LayeredArchitecture layers = layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(BASE + "..")
                .ensureAllClassesAreContainedInArchitecture()
                .layer(ROOT)
                .definedBy(BASE)
                .whereLayer(ROOT)
                .mayNotAccessAnyLayer();
        for (String name : MAY_USE.keySet()) {
            layers = layers.optionalLayer(name).definedBy(within(name));
        }
        for (Map.Entry<String, List<String>> entry : MAY_USE.entrySet()) {
            List<String> allowed = new ArrayList<>(entry.getValue());
            allowed.add(ROOT);
            layers = layers.whereLayer(entry.getKey()).mayOnlyAccessLayers(allowed.toArray(String[]::new));
        }
        return layers;
    }

    private static String[] within(String... names) {
        return Stream.of(names).map(name -> BASE + "." + name + "..").toArray(String[]::new);
    }
}
