package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MainTest {
    private static final class Failing extends OutputStream {
        private final String why;

        Failing(String why) {
            this.why = why;
        }

        @Override
        public void write(int one) throws IOException {
            throw new IOException(why);
        }
    }

    @Test
    void helpNamesEveryVerb() {
        Run run = Run.of("--help").isDone();
        for (Verb verb : Verb.values()) {
            assertThat(run.out()).contains("  " + verb.word() + " ", verb.summary());
        }
        assertThat(run.out()).contains("\n\nheatline VERB --help");
        assertThat(Run.of()).isEqualTo(run);
        assertThat(Run.of("help")).isEqualTo(run);
        assertThat(Run.of("-h")).isEqualTo(run);
    }

    @ParameterizedTest
    @EnumSource
    void everyVerbTeachesByExample(Verb verb) {
        Run run = Run.of(verb.word(), "--help").isDone();
        assertThat(run.out()).startsWith("Usage: heatline " + verb.word()).contains("Examples:");
        String examples = run.out().substring(run.out().indexOf("Examples:"));
        assertThat(examples.split("heatline " + verb.word(), -1)).hasSizeGreaterThanOrEqualTo(4);
        assertThat(run.out()).doesNotContain("-VALUE}", "-CANDIDATES}", "%%", "@|");
        assertThat(run.out().lines()).allSatisfy(it -> assertThat(it).hasSizeLessThan(101));
        assertThat(Run.of("help", verb.word())).isEqualTo(run);
    }

    @Test
    void versionNamesTheJvmToo() {
        assertThat(Run.of("--version").isDone().out()).contains("heatline ", "Java 2");
    }

    @Test
    void unknownVerbsAndOptionsAreWrongUsage() {
        Run.of("reprot").wrongUsageSaying("no verb reprot", "report, convert");
        Run.of("help", "reprot").wrongUsageSaying("no verb reprot");
        Run.of("report", "--viwe", "xprof").wrongUsageSaying("--viwe", "--view");
        Run.of("report").wrongUsageSaying("FILE");
        Run.of("convert", "a", "b", "-o", "c.heat").wrongUsageSaying("b");
    }

    @Test
    void aReaderThatLeavesEarlyIsNoFailure() {
        assertThat(
                        Run.to(
                                new Failing("Broken pipe"),
                                Map.of(),
                                Path.of(""),
                                "report",
                                Examples.TRACE))
                .isEqualTo(new Run(Exit.DONE, "", ""));
    }

    @Test
    void aFullDiskIsAFailure() {
        for (String command : new String[] {"--help", "doctor"}) {
            Run.to(new Failing("No space left on device"), Map.of(), Path.of(""), command)
                    .failedSaying("standard output", "No space left on device");
        }
    }

    @Test
    void helpOffersOnlyWhatWorks() {
        for (String verb : List.of("threads", "list", "overlap", "doctor")) {
            assertThat(Run.of(verb, "--help").isDone().out())
                    .contains("text, json.")
                    .doesNotContain("html");
        }
        for (String verb : List.of("record", "locks")) {
            assertThat(Run.of(verb, "--help").isDone().out())
                    .contains("text, json, html.", ".heat");
        }
    }

    @Test
    void whatMayBeTypedIsSaidAsItIsTyped() {
        Run.of("record", "1", "-e", "cpu,gpu")
                .wrongUsageSaying("there is no gpu; there are cpu, alloc, wait, lock");
        Run.of("report", "a.jfr", "--group", "room")
                .wrongUsageSaying("there is no room; there are method, class, package");
        Run.of("threads", "1", "--format", "pdf")
                .wrongUsageSaying("there is no pdf; there are text, json");
        Run.of("threads", "1", "--format", "html").wrongUsageSaying("text or json");
        Run.of("record", "1", "-o", "a.xyz").wrongUsageSaying(".heat for all that was seen");
    }
}
