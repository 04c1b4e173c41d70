package dev.heatline.store;

import static dev.heatline.store.Samples.SHOP;
import static dev.heatline.store.Samples.upload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heatline.model.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs on a disk of its own in memory, which takes root. */
@EnabledOnOs(OS.LINUX)
class FullDiskTest {
    private final Workload workload = new Workload(1);

    @TempDir Path disk;

    @BeforeEach
    void mount() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString()) == 0,
                "only root can mount a small disk");
    }

    @AfterEach
    void unmount() throws Exception {
        run("umount", disk.toString());
    }

    private static int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Test
    void afterAFullDiskEverythingIsThereAndGoesOn() throws IOException {
        Path ballast = Files.write(disk.resolve("ballast"), new byte[8 << 20]);
        long samples;
        try (Store store = RocksStore.open(disk.resolve("store"), StoreOptions.DEFAULT)) {
            samples = addUntilFull(store);
            assertThat(samples(store)).isEqualTo(samples);

            Files.delete(ballast);

            assertThat(store.add(upload("more", SHOP, 0, workload.minute(500)))).isTrue();
            samples += 500;
            assertThat(samples(store)).isEqualTo(samples);
        }
        try (Store store = RocksStore.open(disk.resolve("store"), StoreOptions.DEFAULT)) {
            assertThat(samples(store)).isEqualTo(samples);
        }
    }

    @Test
    void whatCannotBeWrittenAgainCanStillBeRead() throws IOException {
        Path ballast = Files.write(disk.resolve("ballast"), new byte[8 << 20]);
        Path lock = disk.resolve("store").resolve("LOCK");
        long samples;
        try (Store store = RocksStore.open(disk.resolve("store"), StoreOptions.DEFAULT)) {
            samples = addUntilFull(store);
            Files.delete(ballast);
            Files.delete(lock);
            Files.createDirectory(lock);

            assertThat(samples(store)).isEqualTo(samples);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(
                                () -> {
                                    boolean _ =
                                            store.add(upload("m", SHOP, 0, workload.minute(500)));
                                })
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("cannot open");
                assertThat(samples(store)).isEqualTo(samples);
            }
        }
        Files.delete(lock);
        try (Store store = RocksStore.open(disk.resolve("store"), StoreOptions.DEFAULT)) {
            assertThat(samples(store)).isEqualTo(samples);
        }
    }

    /** Returns how many samples were stored. */
    private long addUntilFull(Store store) {
        for (int added = 0; ; added++) {
            try {
                assertThat(store.add(upload("u" + added, SHOP, added, workload.minute(500))))
                        .isTrue();
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("disk of the store is full");
                return 500L * added;
            }
        }
    }

    private static long samples(Store store) {
        return Samples.collect(store, Selection.of("shop"))
                .column("samples")
                .map(Column::total)
                .orElse(0L);
    }
}
