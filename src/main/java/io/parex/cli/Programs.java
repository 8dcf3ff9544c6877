package io.parex.cli;

import io.parex.ParexException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;

/** Whether a program is there to be started, known before a world is started for it. */
final class Programs {
    private Programs() {}

    /**
     * Looks for {@code program} as the system does when it starts one: by its path if it has a slash, else in the
     * folders of {@code searchPath}.
     *
     * @param searchPath folders separated by colons, or null
     * @throws ParexException of kind argument if it is not there, or may not be executed
     */
    static void require(String program, String searchPath) {
        if (program.contains("/")) {
            if (!isProgram(program)) {
                throw ParexException.argument("cannot start '" + program + "': "
                        + (Files.exists(Path.of(program)) ? "it is not an executable file" : "there is no such file"));
            }
        } else if (searchPath != null
                && Arrays.stream(searchPath.split(":")).noneMatch(folder -> isProgram(folder + "/" + program))) {
            throw ParexException.argument("cannot start '" + program + "': there is no such program on the PATH");
        }
    }

    private static boolean isProgram(String path) {
        try {
            Path file = Path.of(path.startsWith("/") ? path : "./" + path);
            return Files.isRegularFile(file) && Files.isExecutable(file);
        } catch (InvalidPathException e) {
            return false;
        }
    }
}
