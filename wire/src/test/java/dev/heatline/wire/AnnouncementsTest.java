package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnnouncementsTest {
    private static final ProcessKey WE = ProcessKey.current();

    @TempDir private Path parent;

    private static Announcement announcement(ProcessKey process, Map<String, String> options) {
        return new Announcement(
                process,
                options,
                RecordingSettings.DEFAULT.events(true),
                "/tmp/Größe = #1",
                512,
                1_700_000_000_000L,
                " two\n\tlines\\u ");
    }

    @Test
    void whatIsWrittenIsReadByThisUserAlone() throws IOException {
        Announcements announcements = Announcements.in(parent);
        Announcement written = announcement(WE, Map.of("app", "shop", "label.a b", "c=d"));
        Path file = announcements.write(written);
        assertThat(announcements.all()).isEqualTo(Map.of(WE.pid(), written));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.by*");
        announcements.delete(WE);
        announcements.delete(WE);
        assertThat(announcements.all()).isEmpty();
    }

    @Test
    void anotherProcessOfTheSamePidIsAnotherProcess() throws IOException {
        Announcements announcements = Announcements.in(parent);
        Path file = announcements.write(announcement(new ProcessKey(WE.pid(), "1"), Map.of()));
        assertThat(announcements.all()).isEmpty();
        announcements.deleteStale();
        assertThat(file).doesNotExist();

        announcements.write(announcement(WE, Map.of()));
        announcements.deleteStale();
        assertThat(announcements.all()).containsOnlyKeys(WE.pid());
    }

    @Test
    void filesThatAreNoAnnouncementsAreLeftOut() throws IOException {
        Announcements announcements = Announcements.in(parent);
        Path file = announcements.write(announcement(WE, Map.of()));
        for (String content : new String[] {"", "pid=x", "\\u00zz", "pid=1\nstarted=1\nsince=1"}) {
            Files.writeString(file, content);
            assertThat(announcements.all()).isEmpty();
        }
        Files.write(file, new byte[70_000]);
        assertThat(announcements.all()).isEmpty();
    }

    @Test
    void aFileInPlaceOfTheFolderIsAnError() throws IOException {
        Files.createFile(parent.resolve("heatline_" + System.getProperty("user.name")));
        Announcements announcements = Announcements.in(parent);
        assertThatThrownBy(() -> announcements.write(announcement(WE, Map.of())))
                .isInstanceOf(IOException.class);
        assertThat(announcements.all()).isEmpty();
    }

    @Test
    void theNewerRecordingCountsAndWhatTheAgentWasToldStays() throws IOException {
        Announcements announcements = Announcements.in(parent);
        Path file = announcements.write(announcement(WE, Map.of("app", "shop")));
        Path others = Files.createDirectory(parent.resolve("heatline_zzz"));
        Files.move(file, others.resolve(file.getFileName()));
        announcements.write(
                new Announcement(WE, Map.of(), Map.of(), "", 0, 1_800_000_000_000L, ""));
        Announcement merged = Objects.requireNonNull(announcements.all().get(WE.pid()));
        assertThat(merged.options()).isEqualTo(Map.of("app", "shop"));
        assertThat(merged.isOn()).isFalse();
    }

    @Test
    void cpuTimeAndTheClockAreNeverSampledBoth() {
        RecordingSettings settings = RecordingSettings.DEFAULT;
        assertThat(settings.events(true))
                .containsEntry("jdk.CPUTimeSample#throttle", "10ms")
                .doesNotContainKey("jdk.ExecutionSample#enabled");
        assertThat(settings.events(false))
                .containsEntry("jdk.ExecutionSample#period", "10ms")
                .doesNotContainKey("jdk.CPUTimeSample#enabled");
        assertThat(settings.withoutCpuTime().events(true)).isEqualTo(settings.events(false));
        assertThat(settings.withCpuInterval(Duration.ofNanos(2_500_000)).events(true))
                .containsEntry("jdk.CPUTimeSample#throttle", "2500us");
        assertThat(
                        settings.withAllocationsPerSecond(0)
                                .withWaitThreshold(Optional.empty())
                                .events(true)
                                .keySet())
                .noneMatch(name -> name.matches(".*(Allocation|Park|Monitor).*"));
        assertThatThrownBy(() -> settings.withCpuInterval(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aProcessIsAliveUntilItHasEnded() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        ProcessKey key = ProcessKey.of(process.pid()).orElseThrow();
        assertThat(key.isAlive()).isTrue();
        process.destroyForcibly().waitFor();
        assertThat(key.isAlive()).isFalse();
        assertThat(ProcessKey.of(process.pid())).isEmpty();
        assertThat(WE.isAlive()).isTrue();
    }
}
