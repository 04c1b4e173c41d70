package dev.heatline.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
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
                !options.isEmpty(),
                options,
                RecordingSettings.DEFAULT.events(true),
                "/tmp/Größe = #1",
                512,
                1_700_000_000_000L,
                " two\n\tlines\\u ",
                "no waits",
                Optional.of(WE));
    }

    /** Root has a folder of its own only where there is a place for it. */
    private Announcements announcements() {
        return Announcements.in(parent, parent.resolve("run"));
    }

    private Announcements ofRoot() throws IOException {
        assumeThat(ProcessKey.user(WE.pid())).as("this is root").hasValue(0);
        return Announcements.in(parent, Files.createDirectory(parent.resolve("run")));
    }

    @Test
    void whatIsWrittenIsReadByThisUserAlone() throws IOException {
        Announcements announcements = announcements();
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
        Announcements announcements = announcements();
        Path file = announcements.write(announcement(new ProcessKey(WE.pid(), "1"), Map.of()));
        assertThat(announcements.all()).isEmpty();
        announcements.deleteStale();
        assertThat(file).doesNotExist();

        announcements.write(announcement(WE, Map.of()));
        announcements.deleteStale();
        assertThat(announcements.all()).containsOnlyKeys(WE.pid());
    }

    @Test
    void whatWasWrittenInAnotherPidNamespaceIsLeftAlone() throws IOException {
        Announcements announcements = announcements();
        Path file = announcements.write(announcement(new ProcessKey(4711, "1"), Map.of()));
        String ours = "namespace=" + ProcessKey.namespace() + "\n";
        assertThat(file).content().contains(ours);
        String theirs = Files.readString(file).replace(ours, "namespace=1\n");
        Files.writeString(file, theirs);
        announcements.deleteStale();
        announcements.delete(new ProcessKey(4711, "2"));
        assertThat(file).hasContent(theirs);
    }

    @Test
    void filesThatAreNoAnnouncementsAreLeftOut() throws IOException {
        Announcements announcements = announcements();
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
        Announcements announcements = announcements();
        assertThatThrownBy(() -> announcements.write(announcement(WE, Map.of())))
                .isInstanceOf(IOException.class);
        assertThat(announcements.all()).isEmpty();
    }

    @Test
    void theNewerRecordingCountsAndWhatTheAgentWasToldStays() throws IOException {
        Announcements announcements = announcements();
        Path file = announcements.write(announcement(WE, Map.of("app", "shop")));
        Path others = Files.createDirectory(parent.resolve("heatline_zzz"));
        Files.move(file, others.resolve(file.getFileName()));
        announcements.write(
                new Announcement(
                        WE,
                        false,
                        Map.of(),
                        Map.of(),
                        "",
                        0,
                        1_800_000_000_000L,
                        "",
                        "",
                        Optional.empty()));
        Announcement merged = Objects.requireNonNull(announcements.all().get(WE.pid()));
        assertThat(merged.options()).isEqualTo(Map.of("app", "shop"));
        assertThat(merged.byAgent()).isTrue();
        assertThat(merged.collector()).contains(WE);
        assertThat(merged.isOn()).isFalse();
        assertThat(announcements.of(WE)).contains(merged);
        assertThat(announcements.of(new ProcessKey(WE.pid(), "1"))).isEmpty();
    }

    @Test
    void rootHasAFolderThatNobodyElseCanMakeAndEverybodyCanRead() throws IOException {
        Announcements announcements = ofRoot();
        Path file = announcements.write(announcement(WE, Map.of()));
        assertThat(file.getParent()).isEqualTo(parent.resolve("run/heatline"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
                .isEqualTo("rwxr-xr-x");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r--r--");
        assertThat(announcements.all()).containsOnlyKeys(WE.pid());
        announcements.delete(WE);
        assertThat(announcements.all()).isEmpty();
    }

    @Test
    void whatLiesInTheFolderOfAnotherUserIsNeitherBelievedNorTouched() throws IOException {
        ofRoot();
        Announcements announcements = Announcements.in(parent, parent.resolve("nowhere"));
        Path file = announcements.write(announcement(WE, Map.of()));
        Files.setAttribute(file.getParent(), "unix:uid", 12_345);
        assertThat(announcements.all()).isEmpty();
        Files.setAttribute(file, "unix:uid", 12_345);
        assertThat(announcements.all()).isEmpty();
        assertThat(announcements.of(WE)).isEmpty();
        assertThatThrownBy(() -> announcements.write(announcement(WE, Map.of())))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("belongs to somebody else");
        announcements.delete(WE);
        announcements.deleteStale();
        assertThat(file).exists();
    }

    @Test
    void onlyRegularFilesOfABoundedLengthAreRead() throws Exception {
        Path file = Files.writeString(parent.resolve("file"), "text");
        assertThat(SmallFile.text(file, 4)).isEqualTo("text");
        Path pipe = parent.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Path link = Files.createSymbolicLink(parent.resolve("link"), Path.of("/dev/zero"));
        for (Path other : List.of(pipe, link, parent)) {
            assertThatThrownBy(() -> SmallFile.bytes(other, 10)).hasMessageContaining("regular");
        }
        assertThatThrownBy(() -> SmallFile.bytes(file, 3)).hasMessageContaining("longer than 3");
    }

    @Test
    void theUserOfAProcessIsTheOneWhoseRightsItHas() throws IOException {
        Path file = Files.createFile(parent.resolve("file"));
        assertThat(ProcessKey.user(WE.pid())).hasValue((int) Files.getAttribute(file, "unix:uid"));
        assertThat(ProcessKey.user(4_000_000_000L)).isEmpty();
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
