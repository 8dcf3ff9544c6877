package io.parex.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How to start this program once more, with the Java, the flags and the classes of this process. */
final class SelfProcess {
    private SelfProcess() {}

    /** The command line that runs Parex with {@code arguments}. */
    static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String classPath = System.getProperty("java.class.path");
        if (classPath.endsWith(".jar") && !classPath.contains(System.getProperty("path.separator"))) {
            command.addAll(List.of("-jar", classPath));
        } else {
            command.addAll(List.of("-cp", classPath, Main.class.getName()));
        }
        command.addAll(arguments);
        return command;
    }
}
