package dev.heatline.collector.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullDiskTest {
    @TempDir private Path folder;

    private final List<String> said = new ArrayList<>();
    private SmallDisk disk;

    @BeforeEach
    void mount() throws IOException {
        disk = SmallDisk.mount(folder);
    }

    @AfterEach
    void unmount() throws IOException {
        // Null if it could not be mounted.
        if (disk != null) {
            disk.close();
        }
    }

    @Test
    void aFullDiskChangesNothingAndIsSaid() throws IOException {
        try (Spool spool = Spool.open(folder.resolve("spool"), 1 << 30, said::add)) {
            spool.append(Profiles.entry("a", "1"), Profiles.large(1000, 1));
            spool.append(Profiles.entry("b", "1"), Profiles.large(1000, 2));
            disk.fill();
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(
                                () ->
                                        spool.append(
                                                Profiles.entry("a", "2"), Profiles.large(1000, 3)))
                        .isInstanceOf(SpoolException.class)
                        .hasMessageContaining(folder.toString())
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
        try (Spool spool = Spool.open(folder.resolve("spool"), 1 << 30, said::add)) {
            assertThat(spool.counts().entries()).isEqualTo(2);
            assertThat(spool.position("a")).contains("2");
            assertThat(spool.position("b")).contains("1");
            disk.fill();
            spool.setAside(spool.oldest().orElseThrow(), "refused", "is refused");
            assertThat(said).singleElement().asString().contains("could not be kept (No space");
        }
    }

    @Test
    void aReadOnlyFolderIsSaid() throws IOException {
        Path spooled = folder.resolve("spool");
        try (Spool spool = Spool.open(spooled, 1 << 30, said::add)) {
            spool.append(Profiles.entry("a", "1"), Profiles.of(1));
        }
        disk.makeReadOnly();
        assertThatThrownBy(() -> Spool.open(spooled, 1 << 30, said::add))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining(spooled.toString())
                .hasMessageContaining("Read-only file system; make it writable");
        disk.makeWritable();
        try (Spool spool = Spool.open(spooled, 1 << 30, said::add)) {
            assertThat(spool.counts().entries()).isEqualTo(1);
        }
    }
}
