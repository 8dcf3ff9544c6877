package io.parex.repository;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.SynchronizedTree;
import com.sun.source.util.TreeScanner;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/** What main code does not do, and why. */
@AnalyzeClasses(packages = LayeringTest.BASE, importOptions = ImportOption.DoNotIncludeTests.class)
class ForbiddenCallsTest {
    /** One event loop owns all state of a rank; these packages run on it or are pure. */
    private static final List<String> LOCK_FREE = List.of("schedule", "algorithm", "planner", "protocol", "world");

    @ArchTest
    static final ArchRule shouldNotSleep = noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(Thread.class, "sleep", java.time.Duration.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class)
            .because("a sleep blocks a thread and guesses at a time: wait for the event, or set a timer")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldLeaveStandardOutputToCommands = noClasses()
            .that()
            .resideOutsideOfPackages("io.parex.cli..", "io.parex.bench..", "io.parex.demo..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .because("standard output belongs to the results of commands, and everything else is logged")
            .allowEmptyShould(true);

    @ArchTest
    static final ArchRule shouldNotUseLocksInTheCore = noClasses()
            .that()
            .resideInAnyPackage(
                    LOCK_FREE.stream().map(name -> "io.parex." + name + "..").toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.util.concurrent.locks..")
            .because("one event loop owns the state, and a lock would block it")
            .allowEmptyShould(true);

    @Test
    void shouldNotSynchronizeInTheCore() {
        Path[] folders = LOCK_FREE.stream()
                .map(name -> SourceTree.MAIN.resolve(Path.of("io", "parex", name)))
                .toArray(Path[]::new);
        SourceTree sources = SourceTree.of(folders);
        List<String> places = sources.units().stream()
                .flatMap(unit -> synchronizedPlaces(sources, unit))
                .toList();
        assertTrue(
                places.isEmpty(),
                () -> "One event loop owns the state, and a monitor would block it:\n  " + String.join("\n  ", places));
    }

    private static Stream<String> synchronizedPlaces(SourceTree sources, CompilationUnitTree unit) {
        List<String> places = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitSynchronized(SynchronizedTree block, Void unused) {
                places.add(sources.place(unit, block));
                return super.visitSynchronized(block, unused);
            }

            @Override
            public Void visitMethod(MethodTree method, Void unused) {
                if (method.getModifiers().getFlags().contains(Modifier.SYNCHRONIZED)) {
                    places.add(sources.place(unit, method));
                }
                return super.visitMethod(method, unused);
            }
        }.scan(unit, null);
        return places.stream();
    }
}
