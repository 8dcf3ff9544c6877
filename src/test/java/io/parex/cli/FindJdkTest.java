package io.parex.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script by which wrapper and launcher find a JDK, with {@code /usr/lib/jvm} and the search path replaced. */
class FindJdkTest {
    @TempDir
    private Path machine;

    private Path jvms;
    private Path bin;
    private Path script;

    @BeforeEach
    void makeMachineWithoutJava() throws IOException {
        jvms = Files.createDirectory(machine.resolve("jvm"));
        bin = Files.createDirectory(machine.resolve("bin"));
        for (String tool : new String[] {"find", "readlink", "sed", "sort"}) {
            makeScript(bin.resolve(tool), "exec /usr/bin/" + tool + " \"$@\"");
        }
        String text = Files.readString(Path.of(".mvn", "find-jdk.sh")).replace("/usr/lib/jvm", jvms.toString());
        script = Files.writeString(machine.resolve("find-jdk.sh"), text);
    }

    @Test
    void shouldSayInOneLineWhatIsMissing() throws Exception {
        Shell.Result result = find("/nowhere");
        assertEquals(1, result.exit());
        assertEquals("", result.out());
        assertEquals(
                "parex: no Java 25 or newer found (JAVA_HOME=/nowhere, PATH, " + jvms
                        + "). Install a JDK 25 there, or set JAVA_HOME.\n",
                result.err());
    }

    @Test
    void shouldTakeJavaHomeFirst() throws Exception {
        Path home = makeJdk("other", "26");
        makeJdk("jvm/jdk-25", "25.0.3");
        assertFound(home, find(home.toString()));
    }

    @Test
    void shouldTakeTheOneOnTheSearchPathWhereJavaHomeIsTooOld() throws Exception {
        Path old = makeJdk("jvm/jdk-17", "17.0.15");
        Path current = makeJdk("opt/jdk", "25");
        Files.createSymbolicLink(bin.resolve("java"), current.resolve("bin/java"));
        assertFound(current, find(old.toString()));
    }

    @Test
    void shouldSearchTheFolderOfJdksLast() throws Exception {
        Path old = makeJdk("jvm/jdk-17", "17.0.15");
        Files.createSymbolicLink(bin.resolve("java"), old.resolve("bin/java"));
        Path current = makeJdk("jvm/a-jdk-25", "25.0.3");
        assertFound(current, find(""));
    }

    private Path makeJdk(String name, String version) throws IOException {
        Path home = machine.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        makeScript(home.resolve("bin/java"), "echo must not be started >&2");
        Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
        return home;
    }

    private static void makeScript(Path file, String command) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + command + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Shell.Result find(String javaHome) throws IOException, InterruptedException {
        String command = "set -eu; . '" + script + "'; find_java25 java; echo \"$JAVA_HOME\"";
        return new Shell(machine, Map.of("JAVA_HOME", javaHome, "PATH", bin.toString())).run("/bin/sh", "-c", command);
    }

    private static void assertFound(Path home, Shell.Result result) {
        assertEquals("", result.err());
        assertEquals(0, result.exit());
        assertEquals(home.toString(), result.out().strip());
    }
}
