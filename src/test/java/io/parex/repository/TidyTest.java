package io.parex.repository;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The shape of the repository: sizes, descriptions, and what lies at its top. No rule has a list of exceptions. */
class TidyTest {
    private static final int MAX_FILE_LINES = 400;
    private static final int MAX_METHOD_LINES = 60;
    private static final int MAX_LINE_LENGTH = 120;
    private static final int MAX_PARAMETERS = 7;

    private static final Set<String> TOP_LEVEL =
            Set.of("pom.xml", "README.md", "src", "helm", "k8s", "mvnw", "mvnw.cmd", "target");

    private static SourceTree sources;
    private static List<Path> files;

    private final List<String> violations = new ArrayList<>();

    @BeforeAll
    static void parse() {
        sources = SourceTree.of(SourceTree.MAIN, SourceTree.TEST);
        files = Stream.concat(sources.units().stream().map(SourceTree::path), SourceTree.pythonFiles().stream())
                .toList();
    }

    @Test
    void shouldKeepFilesShort() {
        for (Path file : files) {
            int lines = SourceTree.lines(file).size();
            if (lines > MAX_FILE_LINES) {
                violations.add(file + ": " + lines + " lines");
            }
        }
        assertNone("A file of more than " + MAX_FILE_LINES + " lines is two things: split it");
    }

    @Test
    void shouldKeepLinesShort() {
        eachLine(files, line -> line.length() > MAX_LINE_LENGTH);
        assertNone(
                "The formatter leaves strings and // comments alone: wrap them at " + MAX_LINE_LENGTH + " characters");
    }

    /** Of Java and the rest the formatter takes care. */
    @Test
    void shouldKeepPythonFreeOfTabsAndTrailingBlanks() {
        eachLine(SourceTree.pythonFiles(), line -> line.contains("\t") || !line.equals(line.stripTrailing()));
        assertNone("Python is indented by blanks, and none stand at the end of a line");
    }

    @Test
    void shouldKeepMethodsShort() {
        eachMethod((unit, method) -> {
            long lines = sources.lineCount(unit, method);
            if (lines > MAX_METHOD_LINES) {
                violations.add(sources.place(unit, method) + " " + method.getName() + ": " + lines + " lines");
            }
        });
        assertNone("A method of more than " + MAX_METHOD_LINES + " lines does not fit a screen: extract its steps");
    }

    @Test
    void shouldKeepParameterListsShort() {
        eachMethod((unit, method) -> {
            int count = method.getParameters().size();
            if (count > MAX_PARAMETERS) {
                violations.add(sources.place(unit, method) + " " + method.getName() + ": " + count + " parameters");
            }
        });
        assertNone(
                "More than " + MAX_PARAMETERS + " parameters want a name: make a record of those that belong together");
    }

    @Test
    void shouldDescribeEveryPackage() {
        SourceTree.javaFiles(SourceTree.MAIN).stream()
                .map(Path::getParent)
                .distinct()
                .filter(folder -> !Files.exists(folder.resolve("package-info.java")))
                .forEach(folder -> violations.add(SourceTree.ROOT.relativize(folder) + ": no package-info.java"));
        for (CompilationUnitTree unit : sources.units()) {
            if (SourceTree.path(unit).endsWith("package-info.java") && !sources.hasJavadoc(unit, unit.getPackage())) {
                violations.add(SourceTree.path(unit) + ": no Javadoc");
            }
        }
        assertNone("A package says in package-info.java what it is, what it may use and which thread runs it");
    }

    @Test
    void shouldDescribeEveryPublicType() {
        for (CompilationUnitTree unit : sources.units()) {
            for (ClassTree type : SourceTree.topLevelTypes(unit)) {
                if (type.getModifiers().getFlags().contains(Modifier.PUBLIC) && !sources.hasJavadoc(unit, type)) {
                    violations.add(sources.place(unit, type) + " " + type.getSimpleName());
                }
            }
        }
        assertNone("A public type says in its Javadoc what it is for");
    }

    @Test
    void shouldHoldOnlyKnownEntriesAtTheTop() throws IOException {
        try (Stream<Path> entries = Files.list(SourceTree.ROOT)) {
            entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !TOP_LEVEL.contains(name))
                    .forEach(violations::add);
        }
        assertNone("The top of the repository is its table of contents: put this below src");
    }

    /** The first column of the table of the layout. */
    @Test
    void shouldNameOnlyWhatIsThere() {
        List<String> page = SourceTree.lines(Path.of("src", "site", "markdown", "CONTRIBUTING.md"));
        List<String> layout = page.subList(page.indexOf("## Layout"), page.indexOf("## Rules"));
        for (String row : layout) {
            Matcher path = Pattern.compile("`([^`]+)`").matcher(row.startsWith("| `") ? row.split("\\|")[1] : "");
            while (path.find()) {
                if (!Files.exists(SourceTree.ROOT.resolve(path.group(1)))) {
                    violations.add(path.group(1));
                }
            }
        }
        assertNone("CONTRIBUTING.md names the places of the repository, and this one is not there");
    }

    @Test
    void shouldLetTheWrapperFindTheJdk() {
        List<String> wrapper = SourceTree.lines(Path.of("mvnw"));
        Stream.of(". \"$(dirname \"$0\")/.mvn/find-jdk.sh\"", "find_java25 javac", "export JAVA_HOME")
                .filter(line -> !wrapper.contains(line))
                .forEach(violations::add);
        assertNone("Generating the wrapper anew drops these lines, without which it runs on the default Java");
    }

    private void eachLine(List<Path> of, Predicate<String> violates) {
        for (Path file : of) {
            List<String> lines = SourceTree.lines(file);
            for (int index = 0; index < lines.size(); index++) {
                if (violates.test(lines.get(index))) {
                    violations.add(file + ":" + (index + 1));
                }
            }
        }
    }

    private static void eachMethod(BiConsumer<CompilationUnitTree, MethodTree> visitor) {
        for (CompilationUnitTree unit : sources.units()) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitMethod(MethodTree method, Void unused) {
                    visitor.accept(unit, method);
                    return super.visitMethod(method, unused);
                }
            }.scan(unit, null);
        }
    }

    private void assertNone(String rule) {
        assertTrue(violations.isEmpty(), () -> rule + ":\n  " + String.join("\n  ", violations));
    }
}
