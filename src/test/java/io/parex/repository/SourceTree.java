package io.parex.repository;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The Java files of the repository, parsed by the JDK's own compiler. Types are not resolved: a rule that needs them
 * uses ArchUnit.
 */
final class SourceTree {
    static final Path ROOT = Path.of("").toAbsolutePath();
    static final Path MAIN = Path.of("src", "main", "java");
    static final Path TEST = Path.of("src", "test", "java");

    private final DocTrees trees;
    private final List<CompilationUnitTree> units = new ArrayList<>();

    private SourceTree(List<Path> files) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            if (!files.isEmpty()) { // which the compiler takes for a mistake
                task.parse().forEach(units::add);
            }
            trees = DocTrees.instance(task);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Parses all Java files below the given folders of the repository. */
    static SourceTree of(Path... folders) {
        List<Path> files = new ArrayList<>();
        for (Path folder : folders) {
            files.addAll(javaFiles(folder));
        }
        return new SourceTree(files);
    }

    /** The Java files below a folder of the repository, sorted; none where the folder is not there. */
    static List<Path> javaFiles(Path folder) {
        return files(folder, ".java");
    }

    /** The Python files of the repository. */
    static List<Path> pythonFiles() {
        return Stream.of(Path.of("src", "main", "python"), Path.of("src", "test", "python"))
                .flatMap(folder -> files(folder, ".py").stream())
                .map(ROOT::relativize)
                .toList();
    }

    private static List<Path> files(Path folder, String suffix) {
        Path start = ROOT.resolve(folder);
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> found = Files.walk(start)) {
            return found.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> lines(Path file) {
        try {
            return Files.readAllLines(ROOT.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<CompilationUnitTree> units() {
        return units;
    }

    /** The types that a file declares outside any other. */
    static List<ClassTree> topLevelTypes(CompilationUnitTree unit) {
        return StreamSupport.stream(unit.getTypeDecls().spliterator(), false)
                .filter(ClassTree.class::isInstance)
                .map(ClassTree.class::cast)
                .toList();
    }

    boolean hasJavadoc(CompilationUnitTree unit, Tree declaration) {
        String comment = trees.getDocComment(TreePath.getPath(unit, declaration));
        return comment != null && !comment.isBlank();
    }

    /** How many lines a piece of code takes, from its first modifier or annotation to its last brace. */
    long lineCount(CompilationUnitTree unit, Tree code) {
        long end = trees.getSourcePositions().getEndPosition(unit, code);
        return unit.getLineMap().getLineNumber(end) - line(unit, code) + 1;
    }

    /** Where a piece of code is, in the form that editors and terminals make a link of. */
    String place(CompilationUnitTree unit, Tree code) {
        return path(unit) + ":" + line(unit, code);
    }

    static Path path(CompilationUnitTree unit) {
        return ROOT.relativize(Path.of(unit.getSourceFile().toUri()));
    }

    private long line(CompilationUnitTree unit, Tree code) {
        return unit.getLineMap().getLineNumber(trees.getSourcePositions().getStartPosition(unit, code));
    }
}
