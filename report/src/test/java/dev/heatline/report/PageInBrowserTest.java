package dev.heatline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.model.Profile;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages as a real browser sees them after their script has run. */
class PageInBrowserTest {

    @TempDir private Path folder;

    @Test
    void theBrowserIsTheOneNamedOrElseTheFirstOnThePath() throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path chrome = Files.createFile(bin.resolve("google-chrome"));
        assertThat(chrome.toFile().setExecutable(true)).isTrue();
        String path = folder + File.pathSeparator + bin;
        assertThat(Chromium.find(Map.of("PATH", path))).contains(chrome.toString());
        assertThat(Chromium.find(Map.of("PATH", path, "CHROMIUM", "/my/own"))).contains("/my/own");
        assertThat(Chromium.find(Map.of("PATH", folder.toString()))).isEmpty();
    }

    @Test
    void thePageOpensWithTheViewThatWasAsked() throws IOException, InterruptedException {
        String page = opened(View.XARC.of(ArcflowExample.profile(), ReportOptions.DEFAULTS), "");
        assertThat(page).contains("<a href=\"#xarc\" aria-current=\"page\">");
        assertThat(page)
                .contains("<section id=\"xprof\" hidden=\"\">")
                .contains("<section id=\"xarc\">");
    }

    @Test
    void aLinkIntoTheTreeOpensTheTree() throws IOException, InterruptedException {
        Report report = View.XPROF.of(ArcflowExample.profile(), ReportOptions.DEFAULTS);
        assertThat(opened(report, "#t3"))
                .contains("<a href=\"#xtree\" aria-current=\"page\">")
                .contains("<section id=\"xtree\">");
    }

    @Test
    void hostileNamesAreOnlyNames() throws IOException, InterruptedException {
        Profile hostile = HostileNamesTest.profile();
        ReportOptions options = ReportOptions.builder().title("safe").build();
        for (View view : List.of(View.XTREE, View.THREADS)) {
            assertThat(opened(view.of(hostile, options), ""))
                    .contains("<title>safe · " + view.label() + "</title>")
                    .doesNotContain("<img", "<svg");
        }
    }

    private String opened(Report report, String fragment) throws IOException, InterruptedException {
        Path page = folder.resolve("page.html");
        try (Writer out = Files.newBufferedWriter(page)) {
            report.html(out);
        }
        Path dom = folder.resolve("dom.html");
        Process browser =
                new ProcessBuilder(
                                Chromium.required(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--user-data-dir=" + folder.resolve("browser"),
                                "--dump-dom",
                                page.toUri() + fragment)
                        .redirectOutput(dom.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(browser.waitFor()).isZero();
        return Files.readString(dom, StandardCharsets.UTF_8);
    }
}
