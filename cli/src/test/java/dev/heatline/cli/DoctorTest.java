package dev.heatline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorTest {
    private static final String WAITING =
            """
            class Waiting {
                public static void main(String[] args) throws Exception {
                    System.out.println("up");
                    System.in.read();
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void everyFindingHasAStateAndAReason() {
        Run run = Run.of("doctor").isDone();
        assertThat(run.out().lines())
                .allSatisfy(it -> assertThat(it).matches(".{19}(ok|limited|no) +\\S.*| +→ .+"));
        assertThat(run.out()).contains("JFR", "attach", "perf events", "disk", "JDKs found");
    }

    @Test
    void scriptsGetTheSame() {
        Parsed json = Run.of("doctor", "--format", "json").isDone().json();
        assertThat(json.at("findings").list()).hasSizeGreaterThan(15);
        assertThat(json.at("findings.0.state").text()).isEqualTo("ok");
    }

    @Test
    void settingsThatNothingReadsAreTold() {
        Examples.file(folder, "heatline.properties", "prnue=1%\n");
        assertThat(Run.in(Map.of("HEATLINE_VEIW", "x"), folder, "doctor").isDone().out())
                .contains("nothing reads HEATLINE_VEIW, prnue");
        assertThat(Run.in(Map.of("HEATLINE_PRUNE", "2%"), Path.of("target"), "doctor").out())
                .contains("HEATLINE_PRUNE=2%");
    }

    @Test
    void whatApplicationsAreToldIsNotMistyped() {
        Map<String, String> told =
                Map.of(
                        "HEATLINE_APP", "shop",
                        "HEATLINE_VERSION", "1.2",
                        "HEATLINE_INSTANCE", "a",
                        "HEATLINE_LABEL_ZONE", "eu");
        assertThat(Run.in(told, Path.of("target"), "doctor").isDone().out())
                .doesNotContain("nothing reads");
    }

    @Test
    void attachAgreesWithTheList() throws Exception {
        Process refusing =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-XX:+DisableAttachMechanism",
                                Examples.file(folder, "Waiting.java", WAITING).toString())
                        .start();
        try {
            assertThat(refusing.inputReader().readLine()).isEqualTo("up");
            assertThat(Run.of("list").isDone().out()).contains("no: refuses attach");
            assertThat(Run.of("doctor").isDone().out())
                    .containsPattern(
                            "attach +limited +\\d+ of \\d+ JVMs here can be attached to; JVM");
        } finally {
            refusing.destroyForcibly();
        }
    }

    @Test
    void thereIsNoPageOfIt() {
        Run.of("doctor", "--format", "html").wrongUsageSaying("text or json");
    }
}
