package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CompletionTest {
    @TempDir private Path folder;

    @Test
    void theScriptCompletesInBash() throws Exception {
        Path script =
                Examples.file(folder, "heatline.bash", Run.of("completion", "bash").isDone().out());
        assertThat(bash("bash -n " + script)).isEmpty();
        assertThat(completed(script, "heatline", "re")).contains("report");
        assertThat(completed(script, "heatline", "report", "--vi")).contains("--view");
        assertThat(completed(script, "heatline", "report", "--view", "xt")).contains("xtree");
        assertThat(completed(script, "heatline", "report", "--format", "h")).contains("html");
        assertThat(completed(script, "heatline", "convert", "--format", "c")).contains("collapsed");
    }

    @Test
    @Timeout(60)
    void theScriptCompletesInZsh() throws Exception {
        assumeTrue(isOnPath("zsh"), "no zsh on the path");
        Files.createDirectory(folder.resolve("march runs"));
        Files.createFile(folder.resolve("app.jfr"));
        assertThat(
                        zsh(
                                "heatline rep",
                                "heatline report --vi",
                                "heatline report --view xt",
                                "heatline report --view=xt",
                                "heatline report app.jfr -v xt",
                                "heatline report --no",
                                "heatline report ma",
                                "./heatline diff app.jfr ap",
                                "heatline report -v xtree --vi",
                                "heatline overlap app.jfr --with ap",
                                "heatline convert --format c",
                                "heatline completion z"))
                .containsExactly(
                        "heatline report ",
                        "heatline report --view=",
                        "heatline report --view xtree ",
                        "heatline report --view=xtree ",
                        "heatline report app.jfr -v xtree ",
                        "heatline report --no-fold-lines ",
                        "heatline report march\\ runs/",
                        "./heatline diff app.jfr app.jfr ",
                        "heatline report -v xtree --vi",
                        "heatline overlap app.jfr --with app.jfr ",
                        "heatline convert --format collapsed ",
                        "heatline completion zsh ");
    }

    @Test
    void otherShellsAreWrongUsage() {
        Run.of("completion", "fish").wrongUsageSaying("fish", "bash");
        Run.of("completion").wrongUsageSaying("bash|zsh");
    }

    /** What bash offers for the last of these words. */
    private static String completed(Path script, String... words)
            throws IOException, InterruptedException {
        return bash(
                "source "
                        + script
                        + "; COMP_WORDS=("
                        + String.join(" ", words)
                        + "); COMP_CWORD="
                        + (words.length - 1)
                        + "; COMP_LINE='"
                        + String.join(" ", words)
                        + "'; COMP_POINT=${#COMP_LINE}; _complete_heatline; echo ${COMPREPLY[@]}");
    }

    private static String bash(String command) throws IOException, InterruptedException {
        return said(new ProcessBuilder("bash", "--norc", "-c", command));
    }

    /** What zsh makes of each of these lines when Tab is pressed. */
    private List<String> zsh(String... lines) throws Exception {
        Path script =
                Examples.file(folder, "heatline.zsh", Run.of("completion", "zsh").isDone().out());
        Path driver = Path.of(CompletionTest.class.getResource("complete.zsh").toURI());
        List<String> command =
                new ArrayList<>(List.of("zsh", "-f", driver.toString(), script.toString()));
        command.addAll(List.of(lines));
        ProcessBuilder zsh = new ProcessBuilder(command).directory(folder.toFile());
        zsh.environment().put("HOME", folder.toString());
        zsh.environment().remove("ZDOTDIR");
        return said(zsh).lines().toList();
    }

    private static boolean isOnPath(String command) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, command)));
    }

    private static String said(ProcessBuilder command) throws IOException, InterruptedException {
        Process process = command.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
