package dev.heatline.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heatline.cli.doctor.Finding.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiagnosisTest {
    @TempDir private Path root;

    @BeforeEach
    void beLinux() throws IOException {
        put("proc/version", "Linux");
    }

    private void put(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content + "\n");
    }

    private Finding find(String subject, boolean superuser) {
        return Diagnosis.of(new Machine(root, Map.of(), superuser)).stream()
                .filter(finding -> finding.subject().equals(subject))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void perfEventsDependOnTheSettingAndTheUser() throws IOException {
        put("proc/sys/kernel/perf_event_paranoid", "1");
        assertThat(find("perf events", false).state()).isEqualTo(State.OK);
        put("proc/sys/kernel/perf_event_paranoid", "2");
        assertThat(find("perf events", false).state()).isEqualTo(State.LIMITED);
        assertThat(find("perf events", false).remedy())
                .contains("sudo sysctl kernel.perf_event_paranoid=1");
        put("proc/sys/kernel/perf_event_paranoid", "4");
        assertThat(find("perf events", false).state()).isEqualTo(State.NO);
        assertThat(find("perf events", true).state()).isEqualTo(State.OK);
    }

    @Test
    void kernelNamesDependOnTheSetting() throws IOException {
        put("proc/sys/kernel/kptr_restrict", "1");
        assertThat(find("kernel names", false).state()).isEqualTo(State.LIMITED);
        assertThat(find("kernel names", true).state()).isEqualTo(State.OK);
    }

    @Test
    void jdksAreFoundByTheirReleaseFile() throws IOException {
        put("usr/lib/jvm/seventeen/release", "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"17.0.15\"");
        put("opt/jdk-25/release", "JAVA_VERSION=\"25\"");
        Finding jdks = find("JDKs found", false);
        assertThat(jdks.state()).isEqualTo(State.OK);
        assertThat(jdks.reason()).matches("25 \\(.*opt/jdk-25\\), 17 \\(.*seventeen\\)");
    }

    @Test
    void stolenTimeIsTold() throws IOException {
        put("proc/stat", "cpu  50 0 20 10 0 0 0 20 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0");
        Finding processors = find("processors", false);
        assertThat(processors.state()).isEqualTo(State.LIMITED);
        assertThat(processors.reason()).contains("20.0 %");
    }

    @Test
    void missingProgramsComeWithTheCommandThatBringsThem() {
        assertThat(find("C compiler", false).remedy())
                .hasValueSatisfying(it -> assertThat(it).startsWith("sudo apt-get install"));
        assertThat(find("chromium", true).remedy())
                .hasValueSatisfying(it -> assertThat(it).startsWith("apt-get install"));
    }
}
