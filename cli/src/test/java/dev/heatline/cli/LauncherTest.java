package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher as a process, in a tree of its own whose jar leads to the classes under test. */
class LauncherTest {
    @TempDir private static Path tree;

    private static Path trace = Path.of("");

    @BeforeAll
    static void plant() throws IOException {
        Path project = Path.of("..").toRealPath();
        Files.copy(project.resolve("heatline"), tree.resolve("heatline"));
        Files.createDirectories(tree.resolve(".mvn"));
        Files.copy(project.resolve(".mvn/find-jdk.sh"), tree.resolve(".mvn/find-jdk.sh"));
        Files.createDirectories(tree.resolve("cli/target"));
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
        main.put(Attributes.Name.CLASS_PATH, classPath());
        main.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        Path jar = tree.resolve("cli/target/heatline.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        trace = Examples.TRACE.toRealPath();
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(entry -> Path.of(entry).toUri().toString())
                .collect(Collectors.joining(" "));
    }

    /** Runs a shell command in which {@code heatline} is the launcher. */
    private static Run shell(String command) throws IOException, InterruptedException {
        return shell(command, Map.of());
    }

    private static Run shell(String command, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path err = tree.resolve("err.txt");
        ProcessBuilder builder =
                new ProcessBuilder(
                        "bash",
                        "-c",
                        "heatline() { bash " + tree.resolve("heatline") + " \"$@\"; }; " + command);
        builder.environment().put("HEATLINE_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().putAll(environment);
        builder.directory(tree.toFile()).redirectError(err.toFile());
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        return new Run(process.waitFor(), out, Files.readString(err));
    }

    @Test
    void exitCodesAndStreamsReachTheShell() throws Exception {
        assertThat(shell("heatline --help").isDone().out()).startsWith("Usage: heatline");
        assertThat(shell("heatline report " + trace).isDone().out()).startsWith("xprof");
        shell("heatline report nothing.jfr").failedSaying("nothing.jfr", "no such file");
        shell("heatline report x --no-such").wrongUsageSaying("--no-such");
    }

    @Test
    void aReaderMayLeaveEarly() throws Exception {
        Run run = shell("set -o pipefail; heatline completion bash | head -1");
        assertThat(run.out()).startsWith("#!");
        run.isDone();
    }

    @Test
    void aFullDeviceIsAFailure() throws Exception {
        shell("heatline report " + trace + " > /dev/full").failedSaying("No space left on device");
    }

    @Test
    void profilesComeThroughAPipe() throws Exception {
        Run run =
                shell(
                        "heatline convert "
                                + trace
                                + " --format heat | heatline report - --format json");
        assertThat(run.isDone().json().at("total").number()).isEqualTo(10);
    }

    @Test
    void namesOutsideAsciiWorkInABareEnvironment() throws Exception {
        Files.copy(trace, tree.resolve("Größe.trace"));
        Map<String, String> bare = Map.of("LC_ALL", "C", "LANG", "C");
        shell("heatline report Größe.trace > bericht.txt", bare).isDone();
        assertThat(tree.resolve("bericht.txt")).content().startsWith("xprof");
    }

    @Test
    void tooLittleMemoryIsSaid() throws Exception {
        Path big = tree.resolve("big.collapsed");
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 200_000; i++) {
            lines.append("a.B.run;a.C.m").append(i).append(";a.D.n").append(i).append(" 1\n");
        }
        Files.writeString(big, lines);
        shell("heatline report big.collapsed", Map.of("HEATLINE_JAVA_OPTS", "-Xmx16m"))
                .failedSaying("HEATLINE_JAVA_OPTS=-Xmx");
    }
}
