package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OverlapTest {
    @TempDir private Path folder;

    private Path half() {
        return Examples.collapsed(folder, "half.collapsed", "a.A.x 50", "a.A.y 50");
    }

    private Path quarter() {
        return Examples.collapsed(folder, "quarter.collapsed", "a.A.x 75", "a.A.z 25");
    }

    @Test
    void twoProfilesGiveTheContract() {
        Parsed json = Run.of("overlap", half(), quarter(), "--format", "json").isDone().json();
        assertThat(json.at("overlap").number()).isEqualTo(0.5, within(1e-9));
        assertThat(json.at("hotEdgeCoverage.threshold").number()).isEqualTo(0.1);
        assertThat(json.at("hotEdgeCoverage.aCoversB").number()).isEqualTo(0.5);
        assertThat(json.at("hotEdgeCoverage.bCoversA").number()).isEqualTo(0.5);
    }

    @Test
    void theThresholdDecidesWhatIsHot() {
        Parsed json =
                Run.of("overlap", half(), quarter(), "--threshold", "0.9", "--format", "json")
                        .isDone()
                        .json();
        assertThat(json.at("hotEdgeCoverage.threshold").number()).isEqualTo(0.9);
        assertThat(json.at("hotEdgeCoverage.aCoversB").number()).isEqualTo(1);
    }

    @Test
    void textSaysWhatTheNumbersMean() {
        assertThat(Run.of("overlap", half(), half()).isDone().out())
                .contains("degree of overlap", "100.00", "samples");
    }

    @Test
    void severalProfilesAreComparedWithTheirAverage() {
        Object[] args = {"overlap", half(), half(), quarter()};
        assertThat(Run.of(args).isDone().out()).contains("median", "quarter.collapsed");
        Object[] forScripts = {"overlap", half(), half(), quarter(), "--format", "json"};
        Parsed json = Run.of(forScripts).isDone().json();
        assertThat(json.at("profiles").list()).hasSize(3);
        assertThat(json.at("medianOverlap").number()).isBetween(0.7, 1.0);
    }

    @Test
    void setsAreComparedByTheirAverages() {
        Object[] args = {"overlap", half(), half(), "--with", quarter(), quarter()};
        assertThat(Run.of(args).isDone().out()).contains("set 2: ", "0.5000");
        Object[] forScripts = {
            "overlap", half(), "--with", quarter(), "--with", half(), "--format", "json"
        };
        Parsed json = Run.of(forScripts).isDone().json();
        assertThat(json.at("sets").list()).hasSize(3);
        assertThat(json.at("overlap.0.2").number()).isEqualTo(1, within(1e-9));
        assertThat(json.at("overlap.0.1").number()).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void oneProfileAloneIsWrongUsage() {
        Run.of("overlap", half()).wrongUsageSaying("two or more");
        Run.of("overlap", half(), half(), "--threshold", "7").wrongUsageSaying("7");
    }

    @Test
    void emptySetsAreWrongUsage() {
        Run.of("overlap", half(), "--with").wrongUsageSaying("--with", "at least one");
        Run.of("overlap", half(), "--with", "--with", half()).wrongUsageSaying("--with");
    }

    @Test
    void profilesWithNothingInCommonToCompareFail() {
        Run.of("overlap", half(), Examples.TRACE, "--resource", "samples").failedSaying("samples");
    }
}
