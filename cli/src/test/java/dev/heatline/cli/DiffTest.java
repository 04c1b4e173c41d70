package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiffTest {
    @TempDir private Path folder;

    private Path before() {
        return Examples.collapsed(
                folder,
                "before.collapsed",
                "a.Main.run;a.Fast.go 6000",
                "a.Main.run;a.Slow.go 3000",
                "a.Main.run;a.Rare.go 1000");
    }

    /** Slow takes 10 points more at the cost of Fast, and Rare has changed by chance. */
    private Path after() {
        return Examples.collapsed(
                folder,
                "after.collapsed",
                "a.Main.run;a.Fast.go 4990",
                "a.Main.run;a.Slow.go 4000",
                "a.Main.run;a.Rare.go 1010");
    }

    @Test
    void changesComeInEveryForm() {
        assertThat(Run.of("diff", before(), after()).isDone().out())
                .contains("a.Slow.go", "a.Fast.go", "30.00", "40.00");
        Run.of("diff", before(), after(), "--format", "json").isDone().json();
    }

    @Test
    void changesAreAFlameGraphInTheBrowser() {
        assertThat(Run.of("diff", before(), after(), "--format", "html").isDone().out())
                .startsWithIgnoringCase("<!doctype html>")
                .contains("samples@baseline")
                .doesNotContain("noise");
        assertThat(Run.of("diff", before(), after(), "--format", "html", "--table").isDone().out())
                .startsWithIgnoringCase("<!doctype html>")
                .contains("noise");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "method>5%,p<0.01",
                "self>9.5%",
                "path>9.5%,p<0.001",
                "method>1.3x",
                "METHOD>5%, p<1e-3",
                "method>5%,self>5%,self>1.2x"
            })
    void gatesThatAreBrokenAreTold(String gate) {
        Run run = Run.of("diff", before(), after(), "--fail-on", gate);
        assertThat(run.exit()).isEqualTo(Exit.GATE_NOT_MET);
        assertThat(run.err()).contains(gate, "Slow.go: 30.00 % -> 40.00 %").doesNotContain("Fast");
        assertThat(run.out()).contains("a.Slow.go");
    }

    @ParameterizedTest
    @ValueSource(strings = {"method>11%", "method>1.4x", "self>0.05%,p<0", "path>10.5%"})
    void gatesThatHoldSayNothing(String gate) {
        Run.of("diff", before(), after(), "--fail-on", gate).isDone();
    }

    @Test
    void noiseBreaksNoGate() {
        Run run = Run.of("diff", before(), after(), "--fail-on", "self>0.05%,p<0.01");
        assertThat(run.err()).contains("Slow").doesNotContain("Rare");
        assertThat(Run.of("diff", before(), after(), "--fail-on", "self>0.05%").err())
                .contains("Slow", "Rare");
    }

    @Test
    void anyOfSeveralGatesMayBreak() {
        Run run =
                Run.of(
                        "diff",
                        before(),
                        after(),
                        "--fail-on",
                        "method>50%",
                        "--fail-on",
                        "path>5%");
        assertThat(run.exit()).isEqualTo(Exit.GATE_NOT_MET);
        assertThat(run.err())
                .contains("gate failed, path>5% holds for")
                .doesNotContain("method>50%");
    }

    @Test
    void equalProfilesMeetEveryGate() {
        Run.of("diff", before(), before(), "--fail-on", "method>0%", "--fail-on", "path>1x")
                .isDone();
    }

    @Test
    void countsWithoutSamplesAreCertain() {
        Run.of("diff", Examples.TRACE, Examples.TRACE, "--fail-on", "method>1%,p<0.01").isDone();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "method",
                "method>5",
                "p<0.01",
                "class>5%",
                "method<5%",
                "method>5%,path>5%"
            })
    void gatesThatSayNothingAreWrongUsage(String gate) {
        Run.of("diff", before(), after(), "--fail-on", gate).wrongUsageSaying("--fail-on");
    }

    @Test
    void profilesMustHaveSomethingInCommon() {
        Run.of("diff", before(), Examples.TRACE).failedSaying("no values of resource");
        Run.of("diff", before()).wrongUsageSaying("CURRENT");
    }
}
