package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a real file system of one megabyte, which only root can mount. */
class FullDiskTest {
    @TempDir private Path disk;

    private final List<String> said = new ArrayList<>();
    private boolean mounted;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        mounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
        assumeTrue(mounted, "only root can mount a small disk");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        if (mounted) {
            assertThat(run("umount", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private void fill() throws IOException {
        byte[] page = new byte[4096];
        try {
            while (true) {
                Files.write(
                        disk.resolve("other"),
                        page,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void aFullDiskChangesNothingAndIsSaid() throws IOException {
        try (Spool spool = Spool.open(disk.resolve("spool"), 1 << 30, said::add)) {
            spool.append(Profiles.entry("a", "1"), Profiles.large(1000, 1));
            spool.append(Profiles.entry("b", "1"), Profiles.large(1000, 2));
            fill();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(
                                () ->
                                        spool.append(
                                                Profiles.entry("a", "2"), Profiles.large(1000, 3)))
                        .isInstanceOf(SpoolException.class)
                        .hasMessageContaining(disk.toString())
                        .hasMessageContaining("No space left on device; free some");
            }
            assertThat(spool.position("a")).contains("1");
            assertThat(spool.counts().entries()).isEqualTo(2);
            assertThat(spool.counts().dropped()).isEqualTo(Loss.NONE);
            spool.remove(spool.oldest().orElseThrow());
            assertThat(spool.position("a")).as("uploading needs no room").contains("1");
            spool.append(Profiles.entry("a", "2"), Profiles.of(3));
            assertThat(spool.position("a")).as("and makes some").contains("2");
        }
        try (Spool spool = Spool.open(disk.resolve("spool"), 1 << 30, said::add)) {
            assertThat(spool.counts().entries()).isEqualTo(2);
            assertThat(spool.position("a")).contains("2");
            assertThat(spool.position("b")).contains("1");
            fill();
            spool.setAside(spool.oldest().orElseThrow(), "refused", "is refused");
            assertThat(said).singleElement().asString().contains("could not be kept (No space");
        }
    }

    @Test
    void aReadOnlyFolderIsSaid() throws IOException, InterruptedException {
        Path folder = disk.resolve("spool");
        try (Spool spool = Spool.open(folder, 1 << 30, said::add)) {
            spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        }
        assertThat(run("mount", "-o", "remount,ro", disk.toString())).isTrue();
        assertThatThrownBy(() -> Spool.open(folder, 1 << 30, said::add))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(folder.toString())
                .hasMessageContaining("Read-only file system; make it writable");
        assertThat(run("mount", "-o", "remount,rw", disk.toString())).isTrue();
        try (Spool spool = Spool.open(folder, 1 << 30, said::add)) {
            assertThat(spool.counts().entries()).isEqualTo(1);
        }
    }
}
