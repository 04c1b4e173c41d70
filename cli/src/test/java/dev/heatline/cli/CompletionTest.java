package dev.heatline.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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
    void theScriptForZshPreparesItFirst() {
        assertThat(Run.of("completion", "zsh").isDone().out()).startsWith("autoload");
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
        Process process =
                new ProcessBuilder("bash", "--norc", "-c", command)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
